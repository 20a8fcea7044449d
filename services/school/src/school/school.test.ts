import { describe, test } from '@jest/globals';
import { given } from '@lyceum/testkit';
import type { SchoolEvent, SchoolProfile } from './school.events.ts';
import { school } from './school.ts';

const profile: SchoolProfile = {
  slug: 'lantern-craft',
  name: 'Lantern Craft School',
  host: 'lantern.example',
  base_url: 'https://lantern.example',
  currency: 'USD',
  timezone: 'Europe/Lisbon',
  locale: 'en',
};
const provisioned: SchoolEvent = { type: 'SchoolProvisioned', data: profile };
const elsewhere = { host: 'craft.example', base_url: 'https://craft.example' };

describe('a school', () => {
  test('is provisioned with its profile', () => {
    given(school).when({ kind: 'provision', profile }).then(provisioned);
  });

  test('is provisioned once, however often it is asked', () => {
    given(school, provisioned).when({ kind: 'provision', profile }).unchanged();
  });

  test('moves to another host', () => {
    given(school, provisioned)
      .when({ kind: 'move', ...elsewhere })
      .then({ type: 'SchoolMoved', data: elsewhere });
  });

  test('does not move to where it is', () => {
    given(school, provisioned, { type: 'SchoolMoved', data: elsewhere })
      .when({ kind: 'move', ...elsewhere })
      .unchanged();
  });

  test('that was never provisioned cannot move', () => {
    given(school)
      .when({ kind: 'move', ...elsewhere })
      .rejected('not_found');
  });
});
