import { describe, expect, test } from '@jest/globals';
import { given } from '@lyceum/testkit';
import type { EntryEvent } from './entry.events.ts';
import { entryDecider } from './entry.ts';

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
    given(entryDecider).when({ type: 'AdmitSchool', school: 'school_1', profile }).then(admitted);
    given(entryDecider, admitted).when({ type: 'AdmitSchool', school: 'school_1', profile }).unchanged();
  });

  test('claims slug and host for the school', () => {
    expect(entryDecider.claims?.(admitted)).toEqual([
      { kind: 'school-slug', value: 'lantern-craft', rejected: 'slug_taken' },
      { kind: 'school-host', value: 'lantern.example', rejected: 'host_taken' },
    ]);
  });

  test('gives the old host back when the school moves, but not when only the scheme changes', () => {
    const { state } = given(entryDecider, admitted);
    expect(entryDecider.releases?.(rehosted, state)).toEqual([{ kind: 'school-host', value: 'lantern.example' }]);
    const samePlace: EntryEvent = {
      type: 'SchoolRehosted',
      data: { host: profile.host, base_url: 'http://lantern.example' },
    };
    expect(entryDecider.releases?.(samePlace, state)).toEqual([]);
  });

  test('is unsettled again after a move, and settles once', () => {
    expect(given(entryDecider, admitted, settled).state?.settled).toBe(true);
    expect(given(entryDecider, admitted, settled, rehosted).state?.settled).toBe(false);
    given(entryDecider, admitted, settled).when({ type: 'SettleSchool' }).unchanged();
    given(entryDecider, admitted).when({ type: 'SettleSchool' }).then(settled);
  });

  test('of an unknown school can neither move nor settle', () => {
    given(entryDecider)
      .when({ type: 'RehostSchool', ...elsewhere })
      .rejected('not_found');
    given(entryDecider).when({ type: 'SettleSchool' }).rejected('not_found');
  });
});
