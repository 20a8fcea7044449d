import { describe, test } from '@jest/globals';
import { given } from '@lyceum/testkit';
import type { RegistrationEvent } from './registration.events.ts';
import { registrationDecider, registrationStream } from './registration.ts';

const starts_at = '2026-01-07T18:00:00.000Z';
const event_id = 'event_1';
const member_id = 'account_ada';
const id = registrationStream(event_id, member_id);
const seat = (count: number) => `${id}.${count}`;
const person = { event_id, member_id, guest: null, starts_at };
const requested = (queued = false): RegistrationEvent => ({
  type: 'RegistrationRequested',
  data: { ...person, queued },
});
const asked = (count = 1): RegistrationEvent => ({
  type: 'SeatRequested',
  data: { event_id, member_id, request_id: seat(count) },
});
const about = { event_id, member_id, starts_at };
const confirmed = (promoted = false): RegistrationEvent => ({
  type: 'RegistrationConfirmed',
  data: { ...about, promoted },
});
const waits: RegistrationEvent = { type: 'RegistrationWaitlisted', data: { event_id, starts_at } };
const refused = (count: number): RegistrationEvent => ({ type: 'SeatRefused', data: { request_id: seat(count) } });
const returned = (count: number): RegistrationEvent => ({
  type: 'SeatReturned',
  data: { event_id, request_id: seat(count) },
});
type Reason = Extract<RegistrationEvent, { type: 'RegistrationCanceled' }>['data']['reason'];
const canceled = (reason: Reason): RegistrationEvent => ({ type: 'RegistrationCanceled', data: { ...about, reason } });
const register = (queued = false) => ({ type: 'Register', id, ...person, queued }) as const;
const confirm = (count: number, uncounted = false) =>
  ({ type: 'ConfirmSeat', request_id: seat(count), uncounted }) as const;
const deny = (count: number, waitlist = true) => ({ type: 'DenySeat', request_id: seat(count), waitlist }) as const;
const cancel = (reason: Reason) => ({ type: 'Cancel', reason }) as const;

describe('a registration', () => {
  test('asks for a seat, once, and has it by the answer to its own request', () => {
    given(registrationDecider).when(register()).then(requested(), asked());
    const pending = given(registrationDecider, requested(), asked());
    pending.when(register()).unchanged();
    pending.when(confirm(1)).then(confirmed());
    pending.when(confirm(2)).unchanged();
    given(registrationDecider, requested(), asked(), confirmed()).when(confirm(1)).unchanged();
  });

  test('waits when there is no seat, or is over where nobody may wait', () => {
    const pending = given(registrationDecider, requested(), asked());
    pending.when(deny(1)).then(waits);
    pending.when(deny(1, false)).then(refused(1), canceled('sold_out'));
    pending.when(deny(7)).unchanged();
  });

  test('that comes behind others waits without asking', () => {
    given(registrationDecider).when(register(true)).then(requested(true));
    given(registrationDecider, requested(true)).when({ type: 'Queue' }).then(waits);
    given(registrationDecider, requested(), asked()).when({ type: 'Queue' }).unchanged();
  });

  test('that waits asks again under another request, and waits on when somebody else has the seat', () => {
    const waiting = given(registrationDecider, requested(), asked(), waits);
    waiting.when({ type: 'RequestSeat', id }).then(asked(2));
    const again = given(registrationDecider, requested(), asked(), waits, asked(2));
    again.when({ type: 'RequestSeat', id }).rejected('invalid_state');
    again.when(confirm(1)).unchanged();
    again.when(confirm(2)).then(confirmed(true));
    again.when(deny(2)).then(refused(2));
    given(registrationDecider, requested(), asked(), waits, asked(2), refused(2))
      .when({ type: 'RequestSeat', id })
      .then(asked(3));
  });

  test('whose seat nobody counted has it counted once there is a limit, and keeps it whatever the count says', () => {
    const open: RegistrationEvent = {
      type: 'RegistrationConfirmed',
      data: { ...about, promoted: false, uncounted: true },
    };
    given(registrationDecider, requested(), asked()).when(confirm(1, true)).then(open);
    given(registrationDecider, requested(), asked(), open).when({ type: 'CountSeat', id }).then(asked(2));
    given(registrationDecider, requested(), asked(), open).when({ type: 'RequestSeat', id }).rejected('invalid_state');
    const counting = given(registrationDecider, requested(), asked(), open, asked(2));
    counting.when({ type: 'CountSeat', id }).unchanged();
    counting.when(confirm(2)).unchanged();
    counting.when(deny(2)).unchanged();
    counting.when(cancel('self')).then(returned(2), canceled('self'));
    given(registrationDecider, requested(), asked(), confirmed()).when({ type: 'CountSeat', id }).unchanged();
    given(registrationDecider, requested(), asked(), waits).when({ type: 'CountSeat', id }).unchanged();
  });

  test('that is canceled gives back what it asked for, answered or not, and may begin anew', () => {
    given(registrationDecider, requested(), asked()).when(cancel('self')).then(returned(1), canceled('self'));
    given(registrationDecider, requested(), asked(), confirmed())
      .when(cancel('staff'))
      .then(returned(1), canceled('staff'));
    given(registrationDecider, requested(), asked(), waits).when(cancel('event')).then(canceled('event'));
    const over = given(registrationDecider, requested(), asked(), returned(1), canceled('self'));
    over.when(cancel('self')).unchanged();
    over.when(confirm(1)).unchanged();
    over.when(register()).then(requested(), asked(2));
  });

  test('is checked in once it is confirmed, and canceled no more by people then', () => {
    const by = 'account_owner';
    const there: RegistrationEvent = { type: 'AttendeeCheckedIn', data: { event_id, by } };
    given(registrationDecider, requested(), asked(), confirmed()).when({ type: 'CheckIn', by }).then(there);
    const came = given(registrationDecider, requested(), asked(), confirmed(), there);
    came.when({ type: 'CheckIn', by }).unchanged();
    came.when(cancel('self')).rejected('invalid_state');
    came.when(cancel('event')).then(returned(1), canceled('event'));
    given(registrationDecider, requested(), asked()).when({ type: 'CheckIn', by }).rejected('invalid_state');
  });

  test('that was bought is canceled by its line only, and by nobody else', () => {
    const line_id = 'order_1.1';
    const buy = { type: 'RegisterBuyer', ...person, line_id } as const;
    const wanted: RegistrationEvent = { type: 'RegistrationRequested', data: { ...person, line_id, queued: false } };
    const place: RegistrationEvent = { type: 'RegistrationConfirmed', data: { ...about, line_id, promoted: false } };
    given(registrationDecider).when(buy).then(wanted, place);
    given(registrationDecider, requested(), asked(), waits).when(buy).then(wanted, place);
    given(registrationDecider, requested(), asked()).when(buy).then(returned(1), wanted, place);
    given(registrationDecider, requested(), asked(), confirmed()).when(buy).unchanged();
    const bought = given(registrationDecider, wanted, place);
    bought.when(cancel('self')).rejected('invalid_state');
    bought.when({ ...cancel('refund'), line_id: 'order_2.1' }).unchanged();
    bought
      .when({ ...cancel('refund'), line_id })
      .then({ type: 'RegistrationCanceled', data: { ...about, line_id, reason: 'refund' } });
  });

  test('hears of another time while it is not over', () => {
    const moved = '2026-01-08T18:00:00.000Z';
    const told: RegistrationEvent = { type: 'RegistrationRescheduled', data: { from: starts_at, starts_at: moved } };
    const reschedule = { type: 'Reschedule', starts_at: moved } as const;
    given(registrationDecider, requested(), asked(), confirmed()).when(reschedule).then(told);
    given(registrationDecider, requested(), asked(), confirmed(), told).when(reschedule).unchanged();
    given(registrationDecider, requested(), asked(), returned(1), canceled('self')).when(reschedule).unchanged();
  });

  test('that there is none of can only be begun', () => {
    for (const command of [
      confirm(1),
      deny(1),
      cancel('self'),
      { type: 'Queue' },
      { type: 'CheckIn', by: 'x' },
    ] as const)
      given(registrationDecider).when(command).rejected('not_found');
  });
});
