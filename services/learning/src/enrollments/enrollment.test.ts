import { describe, expect, test } from '@jest/globals';
import { given } from '@lyceum/testkit';
import { isRejection } from '@lyceum/kernel';
import fc from 'fast-check';
import { type Item, type Source, accessPeriod, grantId, hasAccess } from '../grants/grant.ts';
import type { EnrollmentEvent } from './enrollment.events.ts';
import type { EnrollmentState } from './enrollment.state.ts';
import { type EnrollmentCommand, enrollmentDecider, enrollmentStream } from './enrollment.ts';

const day = (number: number): string => new Date(Date.UTC(2026, 0, number)).toISOString();
const enrolled = { member_id: 'account_1', course_id: 'course_1' };
const item: Item = { item_type: 'course', item_id: 'course_1' };
const orderA: Source = { source_type: 'order_line', source_id: 'line_a' };
const orderB: Source = { source_type: 'order_line', source_id: 'line_b' };
const staff: Source = { source_type: 'staff', source_id: 'commit_1' };

const granted = (source: Source, starts_at = day(1), expires_at: string | null = null): EnrollmentEvent => ({
  type: 'AccessGranted',
  data: { ...enrolled, grant_id: grantId(source, item), ...source, starts_at, expires_at },
});
const revoked = (source: Source, reason = 'refund'): EnrollmentEvent => ({
  type: 'AccessRevoked',
  data: { ...enrolled, grant_id: grantId(source, item), ...source, reason },
});
const extended = (source: Source, expires_at: string | null): EnrollmentEvent => ({
  type: 'AccessExtended',
  data: { ...enrolled, grant_id: grantId(source, item), ...source, expires_at },
});
const activated = ({ source_type }: Source, again = false): EnrollmentEvent => ({
  type: 'EnrollmentActivated',
  data: { ...enrolled, source_type, again },
});
const lapsed = (reason: string): EnrollmentEvent => ({ type: 'EnrollmentLapsed', data: { ...enrolled, reason } });

const grant = (source: Source, now = day(1), expires_at: string | null = null, starts_at = now): EnrollmentCommand => ({
  type: 'GrantAccess',
  ...enrolled,
  ...source,
  starts_at,
  expires_at,
  now,
});
const revoke = (source: Source, now = day(1), reason = 'refund'): EnrollmentCommand => ({
  type: 'RevokeAccess',
  ...enrolled,
  ...source,
  reason,
  now,
});
const extend = (expires_at: string | null, now = day(1)): EnrollmentCommand => ({
  type: 'ExtendStaffAccess',
  ...enrolled,
  expires_at,
  now,
});
const revokeStaff = (now = day(1)): EnrollmentCommand => ({ type: 'RevokeStaffAccess', ...enrolled, now });
const expire = (now: string): EnrollmentCommand => ({ type: 'ExpireAccess', ...enrolled, now });

describe('access', () => {
  test('begins with the first live grant', () => {
    given(enrollmentDecider).when(grant(orderA)).then(granted(orderA), activated(orderA));
    given(enrollmentDecider, granted(orderA), activated(orderA)).when(grant(orderB)).then(granted(orderB));
  });

  test('of the same source is granted once, however often it is asked for', () =>
    given(enrollmentDecider, granted(orderA), activated(orderA))
      .when(grant(orderA, day(2)))
      .unchanged());

  test('two orders for one course, cancel one: access stays, and ends with the other', () => {
    const both = [granted(orderA), activated(orderA), granted(orderB)] as const;
    given(enrollmentDecider, ...both)
      .when(revoke(orderA))
      .then(revoked(orderA));
    given(enrollmentDecider, ...both, revoked(orderA))
      .when(revoke(orderB))
      .then(revoked(orderB), lapsed('refund'));
  });

  test('refund event delivered before payment, twice: the grant that comes later does not count', () => {
    given(enrollmentDecider).when(revoke(orderA)).then(revoked(orderA));
    given(enrollmentDecider, revoked(orderA)).when(revoke(orderA)).unchanged();
    given(enrollmentDecider, revoked(orderA)).when(grant(orderA)).unchanged();
  });

  test('refund event delivered after a re-purchase takes back what was refunded only', () => {
    const again = [granted(orderA), activated(orderA), revoked(orderA), lapsed('refund')] as const;
    given(enrollmentDecider, ...again)
      .when(grant(orderB))
      .then(granted(orderB), activated(orderB, true));
    given(enrollmentDecider, ...again, granted(orderB), activated(orderB, true))
      .when(revoke(orderA))
      .unchanged();
  });

  test('ends by time without anybody saying so; that is noticed once', () => {
    const { state, when } = given(enrollmentDecider, granted(orderA, day(1), day(5)), activated(orderA));
    expect([hasAccess(state, day(4)), hasAccess(state, day(5))]).toEqual([true, false]);
    when(expire(day(4))).unchanged();
    when(expire(day(5))).then(lapsed('expired'));
    given(enrollmentDecider, granted(orderA, day(1), day(5)), activated(orderA), lapsed('expired'))
      .when(expire(day(6)))
      .unchanged();
    given(enrollmentDecider)
      .when(expire(day(6)))
      .unchanged();
  });

  test('that ended by time unnoticed is noticed by the next grant, which begins it again', () =>
    given(enrollmentDecider, granted(orderA, day(1), day(5)), activated(orderA))
      .when(grant(orderB, day(9)))
      .then(lapsed('expired'), granted(orderB, day(9)), activated(orderB, true)));

  test('whose time was over before it was granted never begins', () =>
    given(enrollmentDecider)
      .when(grant(orderA, day(9), day(5), day(1)))
      .then(granted(orderA, day(1), day(5))));

  test('lasts as long as its longest live grant, and began with the first', () => {
    const { state } = given(enrollmentDecider, granted(orderA, day(1), day(5)), granted(orderB, day(2), day(9)));
    expect(accessPeriod(state!, day(3))).toEqual({ starts_at: day(1), expires_at: day(9) });
    expect(accessPeriod(state!, day(6))).toEqual({ starts_at: day(2), expires_at: day(9) });
    expect(accessPeriod(state!, day(9))).toBeNull();
    const forever = given(enrollmentDecider, granted(orderA, day(1), day(5)), granted(staff)).state!;
    expect(accessPeriod(forever, day(3))?.expires_at).toBeNull();
  });
});

describe('what the staff give', () => {
  const second: Source = { source_type: 'staff', source_id: 'commit_2' };
  const byStaff = [granted(staff, day(1), day(5)), activated(staff)] as const;

  test('is given once at a time, and again once it has ended', () => {
    given(enrollmentDecider, ...byStaff)
      .when(grant(second))
      .rejected('already_granted');
    given(enrollmentDecider, ...byStaff)
      .when(grant(second, day(6)))
      .then(lapsed('expired'), granted(second, day(6)), activated(second, true));
    given(enrollmentDecider, ...byStaff, revoked(staff, 'staff'), lapsed('staff'))
      .when(grant(second, day(2)))
      .then(granted(second, day(2)), activated(second, true));
  });

  test('stands beside what was bought, and is taken back alone', () => {
    given(enrollmentDecider, granted(orderA), activated(orderA)).when(grant(staff)).then(granted(staff));
    given(enrollmentDecider, granted(orderA), activated(orderA), granted(staff))
      .when(revokeStaff())
      .then(revoked(staff, 'staff'));
    given(enrollmentDecider, ...byStaff)
      .when(revokeStaff())
      .then(revoked(staff, 'staff'), lapsed('staff'));
    given(enrollmentDecider, granted(orderA), activated(orderA)).when(revokeStaff()).unchanged();
    given(enrollmentDecider).when(revokeStaff()).rejected('not_found');
  });

  test('is extended, also when it has ended, but not into the past, and nothing else is', () => {
    given(enrollmentDecider, ...byStaff)
      .when(extend(day(9)))
      .then(extended(staff, day(9)));
    given(enrollmentDecider, ...byStaff)
      .when(extend(null))
      .then(extended(staff, null));
    given(enrollmentDecider, ...byStaff)
      .when(extend(day(5)))
      .unchanged();
    given(enrollmentDecider, ...byStaff)
      .when(extend(day(9), day(6)))
      .then(lapsed('expired'), extended(staff, day(9)), activated(staff, true));
    given(enrollmentDecider, ...byStaff)
      .when(extend(day(1)))
      .rejected('validation_failed');
    given(enrollmentDecider, granted(orderA), activated(orderA))
      .when(extend(day(9)))
      .rejected('invalid_state');
    given(enrollmentDecider, ...byStaff, revoked(staff, 'staff'), lapsed('staff'))
      .when(extend(day(9)))
      .rejected('invalid_state');
    given(enrollmentDecider)
      .when(extend(day(9)))
      .rejected('not_found');
  });
});

test('what members take for free, they have once', () => {
  const free: Source = { source_type: 'free', source_id: 'commit_1' };
  given(enrollmentDecider, granted(free), activated(free))
    .when(grant({ ...free, source_id: 'commit_2' }))
    .rejected('already_granted');
});

test('the stream follows from member and course, and no two pairs share one', () => {
  expect(enrollmentStream('account_1', 'course_1')).toMatch(/^enrollment_[0-9a-f-]{36}$/);
  expect(enrollmentStream('account_1', 'course_1')).toBe(enrollmentStream('account_1', 'course_1'));
  expect(enrollmentStream('a', 'bc')).not.toBe(enrollmentStream('ab', 'c'));
});

describe('grants in any order, with duplicates', () => {
  const sources = fc.constantFrom<Source>(orderA, orderB, { source_type: 'subscription', source_id: 'sub_1' });
  const step = fc.record({
    source: sources,
    what: fc.constantFrom('grant', 'revoke'),
    ends: fc.constantFrom(null, day(5), day(20)),
  });

  /** The state after commands, and the events that they led to. */
  function run(commands: readonly EnrollmentCommand[]) {
    const events: EnrollmentEvent[] = [];
    let state: EnrollmentState = null;
    for (const command of commands) {
      const decision = enrollmentDecider.decide(command, state);
      if (isRejection(decision)) continue;
      for (const event of decision) {
        events.push(event);
        state = enrollmentDecider.evolve(state, event, { at: command.now, version: events.length });
      }
    }
    return { state, events };
  }

  test('10,000 histories: access is what the set of grants says, activation and lapse alternate, nothing is granted twice', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const commands = steps.map(({ source, what, ends }, at) =>
          what === 'grant' ? grant(source, day(at + 1), ends, day(1)) : revoke(source, day(at + 1)),
        );
        const now = day(steps.length + 1);
        const { state, events } = run([...commands, expire(now)]);
        // The first grant of a source decides how long it lasts; a revocation counts whenever it came.
        const live = [orderA, orderB, { source_type: 'subscription', source_id: 'sub_1' }].filter(({ source_id }) => {
          const own = steps.filter(({ source }) => source.source_id === source_id);
          const first = own.find(({ what }) => what === 'grant');
          return first && own.every(({ what }) => what === 'grant') && (first.ends === null || first.ends > now);
        });
        const turns = events.flatMap(({ type }) => (type.startsWith('Enrollment') ? [type] : []));
        const grants = events.flatMap(({ type, data }) => (type === 'AccessGranted' ? [data.grant_id] : []));
        const repeated = run([...commands, ...commands].map((each) => ({ ...each, now })));
        // Plain comparisons: ten thousand times an `expect` takes a minute.
        return (
          hasAccess(state, now) === live.length > 0 &&
          (state?.active ?? false) === live.length > 0 &&
          turns.every((type, at) => type === (at % 2 === 0 ? 'EnrollmentActivated' : 'EnrollmentLapsed')) &&
          new Set(grants).size === grants.length &&
          hasAccess(repeated.state, now) === live.length > 0
        );
      }),
      { numRuns: 10_000 },
    );
  });

  test('the same commands in another order lead to the same access, as far as no grant is asked for twice', () => {
    const once = fc.uniqueArray(step, { selector: ({ source, what }) => `${source.source_id} ${what}`, maxLength: 6 });
    fc.assert(
      fc.property(
        once.chain((steps) => fc.tuple(fc.constant(steps), fc.shuffledSubarray(steps, { minLength: steps.length }))),
        ([one, other]) => {
          const now = day(10);
          const outcome = (steps: typeof one) =>
            hasAccess(
              run(
                steps.map(({ source, what, ends }) =>
                  what === 'grant' ? grant(source, now, ends, day(1)) : revoke(source, now),
                ),
              ).state,
              now,
            );
          return outcome(one) === outcome(other);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
