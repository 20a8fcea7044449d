import { describe, expect, test } from '@jest/globals';
import { given } from '@lyceum/testkit';
import type { EntryEvent } from './entry.events.ts';
import { entry } from './entry.ts';

const profile = {
  slug: 'lantern-craft',
  name: 'Lantern Craft School',
  host: 'lantern.example',
  base_url: 'https://lantern.example',
  currency: 'USD',
  timezone: 'Europe/Lisbon',
  locale: 'en',
};
const admitted: EntryEvent = { type: 'SchoolAdmitted', data: { ...profile, school: 'school_1' } };
const elsewhere = { host: 'craft.example', base_url: 'https://craft.example' };
const rehosted: EntryEvent = { type: 'SchoolRehosted', data: elsewhere };
const settled: EntryEvent = { type: 'SchoolSettled', data: {} };

describe('a directory entry', () => {
  test('admits a school once', () => {
    given(entry).when({ kind: 'admit', school: 'school_1', profile }).then(admitted);
    given(entry, admitted).when({ kind: 'admit', school: 'school_1', profile }).unchanged();
  });

  test('claims slug and host for the school', () => {
    expect(entry.claims?.(admitted)).toEqual([
      { kind: 'school-slug', value: 'lantern-craft', rejected: 'slug_taken' },
      { kind: 'school-host', value: 'lantern.example', rejected: 'host_taken' },
    ]);
  });

  test('gives the old host back when the school moves, but not when only the scheme changes', () => {
    const { state } = given(entry, admitted);
    expect(entry.releases?.(rehosted, state)).toEqual([{ kind: 'school-host', value: 'lantern.example' }]);
    const samePlace: EntryEvent = {
      type: 'SchoolRehosted',
      data: { host: profile.host, base_url: 'http://lantern.example' },
    };
    expect(entry.releases?.(samePlace, state)).toEqual([]);
  });

  test('is unsettled again after a move, and settles once', () => {
    expect(given(entry, admitted, settled).state?.settled).toBe(true);
    expect(given(entry, admitted, settled, rehosted).state?.settled).toBe(false);
    given(entry, admitted, settled).when({ kind: 'settle' }).unchanged();
    given(entry, admitted).when({ kind: 'settle' }).then(settled);
  });

  test('of an unknown school can neither move nor settle', () => {
    given(entry)
      .when({ kind: 'rehost', ...elsewhere })
      .rejected('not_found');
    given(entry).when({ kind: 'settle' }).rejected('not_found');
  });
});
