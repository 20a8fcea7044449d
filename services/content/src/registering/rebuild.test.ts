import { expect, test } from '@jest/globals';
import { expectRebuiltAlike } from '@lyceum/testkit-service';
import fc from 'fast-check';
import { content } from '../module.ts';
import { type Calendar, memberToken, startCalendar } from '../testing/calendar.ts';

/** The read models of this area and what it follows; those of other areas have tests of their own. */
const own = new Set(['events', 'registrations', 'schools']);

const step = fc.record({
  what: fc.constantFrom('event', 'publish', 'change', 'cancel event', 'register', 'guest', 'leave', 'check in', 'buy'),
  who: fc.constantFrom('ada', 'ben', 'cleo'),
  event: fc.nat(2),
});

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const example: readonly Step[] = [
  { what: 'event', who: 'ada', event: 0 },
  { what: 'publish', who: 'ada', event: 0 },
  { what: 'register', who: 'ada', event: 0 },
  { what: 'guest', who: 'ben', event: 0 },
  { what: 'register', who: 'cleo', event: 0 },
  { what: 'check in', who: 'ada', event: 0 },
  { what: 'leave', who: 'cleo', event: 0 },
  { what: 'change', who: 'ada', event: 0 },
];

/** Registers, and waits until it is known whether there is a seat. */
async function registered(calendar: Calendar, ...[event, ...who]: Parameters<Calendar['register']>): Promise<void> {
  const { status } = await calendar.register(event, ...who);
  if (status < 300)
    await calendar.attendees(event, (all) => all.length > 0 && all.every((each) => each.status !== 'pending'));
}

async function perform(calendar: Calendar, { what, who, event }: Step): Promise<unknown> {
  const { data } = (await calendar.call('GET', '/api/events?sort=created_at&limit=100')).body;
  const id: string = data[event]?.id ?? 'event_00000000-0000-7000-8000-000000000000';
  const as = memberToken(who);
  switch (what) {
    case 'event':
      return calendar.draft({ capacity: event + 1 });
    case 'publish':
      return calendar.call('POST', `/api/events/${id}/publish`);
    case 'change':
      return calendar.call('PATCH', `/api/events/${id}`, {
        body: { capacity: event + 2, starts_at: calendar.inHours(30), ends_at: calendar.inHours(31) },
      });
    case 'cancel event':
      return calendar.call('POST', `/api/events/${id}/cancel`);
    case 'register':
      return registered(calendar, id, as);
    case 'guest':
      return registered(calendar, id, 'anonymous', { email: `${who}@guests.test` });
    case 'leave': {
      const own = (await calendar.call('GET', `/api/account/registrations?event_id=${id}`, { as })).body.data[0];
      return own && calendar.call('POST', `/api/account/registrations/${own.id}/cancel`, { as });
    }
    case 'check in': {
      const [first] = (await calendar.call('GET', `/api/events/${id}/registrations?status=confirmed`)).body.data ?? [];
      return first && calendar.call('POST', `/api/events/${id}/registrations/${first.id}/check-in`);
    }
    case 'buy': {
      const line = { line_id: 'order_00000000-0000-7000-8000-000000000001.1', item_type: 'event', item_id: id };
      if (!data[event]) return undefined;
      const bought = { order_id: 'order', member_id: `account_${who}`, lines: [line] };
      return calendar.publish('commerce', { type: 'OrderFulfillable', data: bought });
    }
  }
}

test('projections rebuilt equal live: events, who comes and their seats say what they said when they followed', async () => {
  const seen = await expectRebuiltAlike({
    module: content,
    start: () => startCalendar(),
    step,
    example,
    perform,
    tenants: () => ['school_1'],
  });
  const rowsOf = (model: string) => Object.values(seen[model] ?? {});
  for (const model of own) expect([model, rowsOf(model).length > 0]).toEqual([model, true]);
  expect(new Set(rowsOf('registrations').map(({ status }) => status)).size).toBeGreaterThan(2);
}, 180_000);
