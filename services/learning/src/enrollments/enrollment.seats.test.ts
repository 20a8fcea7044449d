import { describe, expect, test } from '@jest/globals';
import { given } from '@lyceum/testkit';
import { type Item, type Source, grantId, hasAccess } from '../grants/grant.ts';
import type { EnrollmentEvent } from './enrollment.events.ts';
import { enrollmentOfRequest } from './enrollment.seats.ts';
import { type EnrollmentCommand, enrollmentDecider, enrollmentStream } from './enrollment.ts';

const day = (number: number): string => new Date(Date.UTC(2026, 0, number)).toISOString();
const enrolled = { member_id: 'account_1', course_id: 'course_1' };
const item: Item = { item_type: 'course', item_id: 'course_1' };
const staff: Source = { source_type: 'staff', source_id: 'commit_1' };
const second: Source = { source_type: 'staff', source_id: 'commit_2' };
const free: Source = { source_type: 'free', source_id: 'commit_3' };
const order: Source = { source_type: 'order_line', source_id: 'line_1' };

const about = (source: Source) => ({ ...enrolled, grant_id: grantId(source, item), ...source });
const request = (number = 1) => `${enrollmentStream('account_1', 'course_1')}.${number}`;
const seat = (
  type: 'SeatRequested' | 'SeatObtained' | 'SeatRefused' | 'SeatReturned',
  number = 1,
): EnrollmentEvent => ({
  type,
  data: { ...enrolled, request_id: request(number) },
});
const awaited = (source: Source, expires_at: string | null = null): EnrollmentEvent => ({
  type: 'AccessAwaited',
  data: { ...about(source), expires_at },
});
const granted = (source: Source, starts_at = day(1), expires_at: string | null = null): EnrollmentEvent => ({
  type: 'AccessGranted',
  data: { ...about(source), starts_at, expires_at },
});
const extended = (source: Source, expires_at: string | null): EnrollmentEvent => ({
  type: 'AccessExtended',
  data: { ...about(source), expires_at },
});
const revoked = (source: Source, reason = 'staff'): EnrollmentEvent => ({
  type: 'AccessRevoked',
  data: { ...about(source), reason },
});
const activated = ({ source_type }: Source, again = false): EnrollmentEvent => ({
  type: 'EnrollmentActivated',
  data: { ...enrolled, source_type, again },
});
const lapsed = (reason: string): EnrollmentEvent => ({ type: 'EnrollmentLapsed', data: { ...enrolled, reason } });

const grant = (source: Source, now = day(1), expires_at: string | null = null, seated = true): EnrollmentCommand => ({
  type: 'GrantAccess',
  ...enrolled,
  ...source,
  starts_at: now,
  expires_at,
  seat: seated,
  now,
});
const extend = (expires_at: string | null, now = day(1)): EnrollmentCommand => ({
  type: 'ExtendStaffAccess',
  ...enrolled,
  expires_at,
  seat: true,
  now,
});
const revokeStaff = (now = day(1)): EnrollmentCommand => ({ type: 'RevokeStaffAccess', ...enrolled, now });
const take = (now = day(1), number = 1): EnrollmentCommand => ({
  type: 'TakeSeat',
  ...enrolled,
  request_id: request(number),
  now,
});
const refuse = (now = day(1)): EnrollmentCommand => ({
  type: 'RefuseSeat',
  ...enrolled,
  request_id: request(),
  now,
});
const expire = (now: string): EnrollmentCommand => ({ type: 'ExpireAccess', ...enrolled, now });

const waiting = [seat('SeatRequested'), awaited(staff)] as const;
const seated = [...waiting, seat('SeatObtained'), granted(staff), activated(staff)] as const;

describe('a grant in a course with so many seats', () => {
  test('waits for a seat, and is no access until it comes', () => {
    const { state } = given(enrollmentDecider, ...waiting);
    expect(hasAccess(state, day(1))).toBe(false);
    given(enrollmentDecider)
      .when(grant(staff))
      .then(...waiting);
    given(enrollmentDecider, ...waiting)
      .when(take(day(2)))
      .then(seat('SeatObtained'), granted(staff, day(2)), activated(staff));
  });

  test('comes to nothing where there is no seat, and is asked for anew under another id', () => {
    given(enrollmentDecider, ...waiting)
      .when(refuse())
      .then(seat('SeatRefused'));
    given(enrollmentDecider, ...waiting, seat('SeatRefused'))
      .when(grant(second))
      .then(seat('SeatRequested', 2), awaited(second));
  });

  test('is answered once, and by the answer to the request of now only', () => {
    given(enrollmentDecider, ...seated)
      .when(take())
      .unchanged();
    given(enrollmentDecider, ...seated)
      .when(refuse())
      .unchanged();
    given(enrollmentDecider, ...waiting, seat('SeatRefused'))
      .when(take())
      .unchanged();
    given(enrollmentDecider, ...waiting, seat('SeatRefused'), seat('SeatRequested', 2), awaited(second))
      .when(take())
      .unchanged();
    given(enrollmentDecider).when(take()).unchanged();
  });

  test('is asked for once, however often, and no second time while it waits', () => {
    given(enrollmentDecider, ...waiting)
      .when(grant(staff))
      .unchanged();
    given(enrollmentDecider, ...waiting)
      .when(grant(second))
      .rejected('already_granted');
  });

  test('shares the seat that the member has, or waits for', () => {
    given(enrollmentDecider, ...waiting)
      .when(grant(free))
      .then(awaited(free));
    given(enrollmentDecider, ...waiting, awaited(free))
      .when(take())
      .then(seat('SeatObtained'), granted(staff), granted(free), activated(staff));
    given(enrollmentDecider, ...seated)
      .when(grant(free))
      .then(granted(free));
  });

  test('takes over the seat of one whose end nobody noticed', () => {
    const over = [...waiting, seat('SeatObtained'), granted(staff, day(1), day(5)), activated(staff)] as const;
    given(enrollmentDecider, ...over)
      .when(grant(second, day(6)))
      .then(lapsed('expired'), granted(second, day(6)), activated(second, true));
  });

  test('needs none where the member is in since before there was a limit', () => {
    given(enrollmentDecider, granted(staff), activated(staff)).when(grant(free)).then(granted(free));
  });

  test('of an order has its own, and one beside an order needs one', () => {
    given(enrollmentDecider).when(grant(order)).then(granted(order), activated(order));
    given(enrollmentDecider, granted(order), activated(order))
      .when(grant(staff))
      .then(...waiting);
    given(enrollmentDecider, ...waiting)
      .when(grant(order))
      .then(granted(order), activated(order));
  });
});

describe('the seat is returned', () => {
  test('when the grant is taken back, and not before the last one is', () => {
    given(enrollmentDecider, ...seated)
      .when(revokeStaff())
      .then(revoked(staff), lapsed('staff'), seat('SeatReturned'));
    given(enrollmentDecider, ...seated, granted(free))
      .when(revokeStaff())
      .then(revoked(staff));
  });

  test('when it is taken back before the answer, which then changes nothing', () => {
    given(enrollmentDecider, ...waiting)
      .when(revokeStaff())
      .then(revoked(staff), seat('SeatReturned'));
    const withdrawn = [...waiting, revoked(staff), seat('SeatReturned')] as const;
    given(enrollmentDecider, ...withdrawn)
      .when(take())
      .unchanged();
    given(enrollmentDecider, ...withdrawn)
      .when(refuse())
      .unchanged();
    given(enrollmentDecider, ...waiting, awaited(free))
      .when(revokeStaff())
      .then(revoked(staff));
  });

  test('when its time is over, though there is access from elsewhere', () => {
    const until = [...waiting, seat('SeatObtained'), granted(staff, day(1), day(5)), activated(staff)] as const;
    given(enrollmentDecider, ...until)
      .when(expire(day(4)))
      .unchanged();
    given(enrollmentDecider, ...until)
      .when(expire(day(5)))
      .then(lapsed('expired'), seat('SeatReturned'));
    given(enrollmentDecider, ...until, granted(order))
      .when(expire(day(5)))
      .then(seat('SeatReturned'));
  });

  test('when it comes after the time of what waited for it', () => {
    given(enrollmentDecider, seat('SeatRequested'), awaited(staff, day(5)))
      .when(take(day(6)))
      .then(seat('SeatObtained'), granted(staff, day(6), day(5)), seat('SeatReturned'));
  });

  test('when nobody is left who would have it', () => {
    const giveUp: EnrollmentCommand = { type: 'GiveUpSeat', ...enrolled, now: day(2) };
    given(enrollmentDecider, ...waiting)
      .when(giveUp)
      .then(seat('SeatReturned'));
    given(enrollmentDecider, ...seated)
      .when(giveUp)
      .then(seat('SeatReturned'));
    given(enrollmentDecider, ...seated, seat('SeatReturned'))
      .when(giveUp)
      .unchanged();
    given(enrollmentDecider, granted(order), activated(order)).when(giveUp).unchanged();
  });

  test('once: what was refused has none', () =>
    given(enrollmentDecider, ...waiting, seat('SeatRefused'))
      .when(revokeStaff())
      .unchanged());
});

describe('another end', () => {
  test('of a grant that counts needs no other seat', () =>
    given(enrollmentDecider, ...seated)
      .when(extend(day(9)))
      .then(extended(staff, day(9))));

  test('of a grant that is over needs one', () => {
    const over = [
      ...waiting,
      seat('SeatObtained'),
      granted(staff, day(1), day(5)),
      activated(staff),
      lapsed('expired'),
      seat('SeatReturned'),
    ] as const;
    given(enrollmentDecider, ...over)
      .when(extend(day(9), day(6)))
      .then(seat('SeatRequested', 2), awaited(staff, day(9)));
    given(enrollmentDecider, ...over, seat('SeatRequested', 2), awaited(staff, day(9)))
      .when(take(day(6), 2))
      .then(seat('SeatObtained', 2), extended(staff, day(9)), activated(staff, true));
    given(enrollmentDecider, ...over, seat('SeatRequested', 2), awaited(staff, day(9)))
      .when(revokeStaff(day(6)))
      .then(revoked(staff), seat('SeatReturned', 2));
  });

  test('of a grant that waits is that of what comes', () => {
    given(enrollmentDecider, ...waiting)
      .when(extend(day(9)))
      .then(awaited(staff, day(9)));
    given(enrollmentDecider, ...waiting)
      .when(extend(null))
      .unchanged();
    given(enrollmentDecider, ...waiting)
      .when(extend(day(1), day(2)))
      .rejected('validation_failed');
  });
});

test('the id of a request names its enrollment; those of orders name none', () => {
  expect(enrollmentOfRequest(request(12))).toBe(enrollmentStream('account_1', 'course_1'));
  for (const other of ['line_1', `${request()}.2`, enrollmentStream('account_1', 'course_1'), ''])
    expect(enrollmentOfRequest(other)).toBeUndefined();
});
