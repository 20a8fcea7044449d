import { describe, test } from '@jest/globals';
import { given } from '@lyceum/testkit';
import type { SchoolEvent, SchoolProfile } from './school.events.ts';
import { schoolDecider } from './school.ts';

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
    given(schoolDecider).when({ type: 'ProvisionSchool', profile }).then(provisioned);
  });

  test('is provisioned once, however often it is asked', () => {
    given(schoolDecider, provisioned).when({ type: 'ProvisionSchool', profile }).unchanged();
  });

  test('moves to another host', () => {
    given(schoolDecider, provisioned)
      .when({ type: 'MoveSchool', ...elsewhere })
      .then({ type: 'SchoolMoved', data: elsewhere });
  });

  test('does not move to where it is', () => {
    given(schoolDecider, provisioned, { type: 'SchoolMoved', data: elsewhere })
      .when({ type: 'MoveSchool', ...elsewhere })
      .unchanged();
  });

  test('that was never provisioned cannot move', () => {
    given(schoolDecider)
      .when({ type: 'MoveSchool', ...elsewhere })
      .rejected('not_found');
  });
});
