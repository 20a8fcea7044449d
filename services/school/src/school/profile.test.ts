import { describe, expect, test } from '@jest/globals';
import { given } from '@lyceum/testkit';
import fc from 'fast-check';
import type { ProfileEvent } from './profile.events.ts';
import { type ProfileCommand, type SchoolChanges, profileDecider, profileOf } from './profile.ts';

const provisioned = { name: 'Lantern', locale: 'en', timezone: 'Europe/Lisbon', currency: 'USD' };
const change = (changes: SchoolChanges, isOwner = true): ProfileCommand => ({
  type: 'ChangeSchool',
  changes,
  provisioned,
  isOwner,
});
const locked: ProfileEvent = { type: 'CurrencyLocked', data: {} };
const changed = (data: Extract<ProfileEvent, { type: 'SchoolChanged' }>['data']): ProfileEvent => ({
  type: 'SchoolChanged',
  data,
});

describe('what a school says of itself', () => {
  test('is told as far as it is different', () => {
    given(profileDecider)
      .when(change({ name: 'Lantern', tagline: 'Light', timezone: 'Asia/Tokyo' }))
      .then(changed({ tagline: 'Light', timezone: 'Asia/Tokyo' }));
  });

  test('does not change by what it is already, provisioned or changed', () => {
    given(profileDecider, changed({ locale: 'pt-PT', contact_email: 'a@example.org' }))
      .when(change({ ...provisioned, locale: 'pt-PT', contact_email: 'a@example.org', tagline: null, navigation: [] }))
      .unchanged();
  });

  test('is cleared of an address by the empty text', () => {
    given(profileDecider, changed({ contact_email: 'a@example.org' }))
      .when(change({ contact_email: '' }))
      .then(changed({ contact_email: '' }));
  });

  test('merges objects, and tells them whole', () => {
    const terms = 'https://lantern.example/terms';
    given(profileDecider, changed({ legal: { terms, privacy: null, imprint: null } }))
      .when(change({ legal: { imprint: terms }, tax: { rate_bp: 2300 }, notifications: { comments: false } }))
      .then(
        changed({
          legal: { terms, privacy: null, imprint: terms },
          tax: { inclusive: true, rate_bp: 2300 },
          notifications: { orders: true, comments: false, submissions: true },
        }),
      );
  });

  test('has another currency when an owner says so, until something is sold', () => {
    given(profileDecider)
      .when(change({ currency: 'EUR' }))
      .then(changed({ currency: 'EUR' }));
    given(profileDecider)
      .when(change({ currency: 'EUR' }, false))
      .rejected('access_denied');
    given(profileDecider, locked)
      .when(change({ currency: 'EUR', name: 'Other' }))
      .rejected('currency_locked');
    given(profileDecider, locked)
      .when(change({ currency: 'USD', name: 'Other' }, false))
      .then(changed({ name: 'Other' }));
  });

  test('keeps its currency from the first lock on', () => {
    given(profileDecider).when({ type: 'LockCurrency' }).then(locked);
    given(profileDecider, locked).when({ type: 'LockCurrency' }).unchanged();
  });

  test('is after any changes what they say in their order, and repeating the last changes nothing', () => {
    const text = fc.string({ maxLength: 5 });
    const changes = fc.record(
      {
        name: text,
        tagline: fc.option(text),
        contact_email: text,
        student_email_to_lecturers: fc.boolean(),
        tax: fc.record({ inclusive: fc.boolean(), rate_bp: fc.nat(10_000) }, { requiredKeys: [] }),
        navigation: fc.array(fc.record({ label: text, href: text }), { maxLength: 2 }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(changes, { minLength: 1, maxLength: 8 }), (all) => {
        let state = profileDecider.initial;
        const expected = { ...profileOf(provisioned, state) };
        for (const [index, each] of all.entries()) {
          const events = profileDecider.decide(change(each), state) as readonly ProfileEvent[];
          state = events.reduce(
            (from, event) => profileDecider.evolve(from, event, { at: 'T', version: index }),
            state,
          );
          Object.assign(expected, each, each.tax ? { tax: { ...expected.tax, ...each.tax } } : {});
        }
        expect(profileOf(provisioned, state)).toEqual(expected);
        expect(profileDecider.decide(change(all.at(-1)!), state)).toEqual([]);
      }),
    );
  });
});
