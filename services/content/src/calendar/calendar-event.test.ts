import { describe, test } from '@jest/globals';
import { given } from '@lyceum/testkit';
import type { CalendarEventEvent, StoredFields } from './calendar-event.events.ts';
import { type CalendarEventChanges, calendarEventDecider } from './calendar-event.ts';

const now = '2026-01-05T08:00:00.000Z';
const times = { starts_at: '2026-01-07T18:00:00.000Z', ends_at: '2026-01-07T20:00:00.000Z' };
const fields: StoredFields = {
  title: 'Lantern evening',
  summary: null,
  description: [],
  timezone: 'Europe/Lisbon',
  mode: 'online',
  venue: null,
  lecturer_ids: [],
  course_id: null,
  registration_closes_at: null,
  waitlist: true,
  join_url: null,
  price: null,
  materials: [],
  cover: null,
};
const created = (more: Partial<StoredFields> = {}, capacity: number | null = null): CalendarEventEvent => ({
  type: 'EventCreated',
  data: { event_id: 'event_1', slug: 'evening', fields: { ...fields, ...more }, times, capacity, created_by: 'acc_1' },
});
const published: CalendarEventEvent = { type: 'EventPublished', data: {} };
const shown = (more: object = {}): CalendarEventEvent => ({
  type: 'EventShown',
  data: {
    slug: 'evening',
    title: 'Lantern evening',
    summary: null,
    times,
    timezone: 'Europe/Lisbon',
    mode: 'online',
    venue: null,
    price: null,
    closes_at: times.starts_at,
    ...more,
  },
});
const canceled: CalendarEventEvent = { type: 'EventCanceled', data: { note: null } };
const change = (changes: CalendarEventChanges, confirmed = 0, at = now) =>
  ({ type: 'ChangeEvent', changes, currency: 'USD', confirmed, now: at }) as const;
const create = (more: Partial<StoredFields> = {}, when = times) =>
  ({
    type: 'CreateEvent',
    id: 'event_1',
    slug: 'evening',
    fields: { ...fields, ...more },
    times: when,
    capacity: null,
    by: 'acc_1',
    currency: 'USD',
  }) as const;
const open = (more: Partial<StoredFields> = {}, capacity: number | null = null) =>
  given(calendarEventDecider, created(more, capacity), published);

describe('an event of the calendar', () => {
  test('is created once, of times and prices that can be', () => {
    given(calendarEventDecider).when(create()).then(created());
    given(calendarEventDecider, created()).when(create()).rejected('invalid_state');
    const backwards = { starts_at: times.ends_at, ends_at: times.starts_at };
    const years = { ...times, ends_at: '2028-01-01T00:00:00.000Z' };
    for (const when of [backwards, { ...times, ends_at: times.starts_at }, years])
      given(calendarEventDecider).when(create({}, when)).rejected('validation_failed');
    for (const price of [
      { amount: 100, currency: 'EUR' },
      { amount: Number.MAX_SAFE_INTEGER, currency: 'USD' },
    ])
      given(calendarEventDecider).when(create({ price })).rejected('validation_failed');
    given(calendarEventDecider)
      .when(create({ registration_closes_at: times.ends_at }))
      .rejected('validation_failed');
  });

  test('is published complete and in the future, and shown then and with each change of what is shown', () => {
    given(calendarEventDecider, created()).when({ type: 'PublishEvent', now }).then(published, shown());
    open().when({ type: 'PublishEvent', now }).unchanged();
    given(calendarEventDecider, created({ mode: 'hybrid' }))
      .when({ type: 'PublishEvent', now })
      .rejected('not_ready');
    given(calendarEventDecider, created()).when({ type: 'PublishEvent', now: times.starts_at }).rejected('not_ready');
    open()
      .when(change({ title: 'Evening' }))
      .then({ type: 'EventChanged', data: { fields: { title: 'Evening' } } }, shown({ title: 'Evening' }));
    open()
      .when(change({ join_url: 'https://meet.test/' }))
      .then({ type: 'EventChanged', data: { fields: { join_url: 'https://meet.test/' } } });
    open()
      .when(change({ ...fields, ...times, slug: 'evening', capacity: null }))
      .unchanged();
    open()
      .when(change({ mode: 'in_person' }))
      .rejected('not_ready');
  });

  test('is at another time until it has started, and not in the past', () => {
    const to = { starts_at: '2026-01-08T18:00:00.000Z', ends_at: '2026-01-08T20:00:00.000Z' };
    open()
      .when(change(to))
      .then({ type: 'EventRescheduled', data: { from: times, to } }, shown({ times: to, closes_at: to.starts_at }));
    open()
      .when(change(to, 0, times.starts_at))
      .rejected('started');
    open()
      .when(change({ title: 'Evening' }, 0, times.starts_at))
      .then({ type: 'EventChanged', data: { fields: { title: 'Evening' } } }, shown({ title: 'Evening' }));
    open()
      .when(change({ starts_at: '2026-01-04T18:00:00.000Z' }))
      .rejected('not_ready');
    open({ registration_closes_at: '2026-01-07T12:00:00.000Z' })
      .when(change({ starts_at: '2026-01-07T10:00:00.000Z' }))
      .rejected('validation_failed');
  });

  test('has no fewer seats than are taken', () => {
    const changed = (from: number | null, capacity: number | null): CalendarEventEvent => ({
      type: 'EventCapacityChanged',
      data: { from, capacity },
    });
    open({}, 5)
      .when(change({ capacity: 3 }, 3))
      .then(changed(5, 3));
    open({}, 5)
      .when(change({ capacity: 2 }, 3))
      .rejected('capacity_below_confirmed');
    open()
      .when(change({ capacity: 2 }, 3))
      .rejected('capacity_below_confirmed');
    open({}, 5)
      .when(change({ capacity: null }, 3))
      .then(changed(5, null));
    open({}, 2)
      .when(change({ title: 'x' }, 3))
      .then({ type: 'EventChanged', data: { fields: { title: 'x' } } }, shown({ title: 'x' }));
    given(calendarEventDecider, created({}, 5))
      .when(change({ capacity: 1 }, 3))
      .then(changed(5, 1));
  });

  test('is canceled for good until it has ended, and deleted as a draft only', () => {
    open()
      .when({ type: 'CancelEvent', note: 'Ill', now })
      .then({ type: 'EventCanceled', data: { note: 'Ill' } });
    open().when({ type: 'CancelEvent', note: null, now: times.ends_at }).rejected('invalid_state');
    given(calendarEventDecider, created()).when({ type: 'CancelEvent', note: null, now }).rejected('invalid_state');
    const gone = given(calendarEventDecider, created(), published, canceled);
    gone.when({ type: 'CancelEvent', note: null, now }).unchanged();
    gone.when({ type: 'PublishEvent', now }).rejected('invalid_state');
    gone.when(change({ title: 'x' })).rejected('invalid_state');
    gone.when({ type: 'DeleteEvent' }).rejected('invalid_state');
    given(calendarEventDecider, created()).when({ type: 'DeleteEvent' }).then({ type: 'EventDeleted', data: {} });
  });

  test('says which files it names', () => {
    const cover = 'upload_00000000-0000-7000-8000-000000000001';
    const file_id = 'upload_00000000-0000-7000-8000-000000000002';
    const materials = [{ file_id, name: 'a.pdf', size: 1, type: 'application/pdf' }];
    given(calendarEventDecider)
      .when(create({ cover, materials }))
      .then(
        created({ cover, materials }),
        { type: 'FileReferenced', data: { file_id: cover } },
        { type: 'FileReferenced', data: { file_id } },
      );
    given(calendarEventDecider, created({ cover, materials }))
      .when(change({ cover: null }))
      .then(
        { type: 'EventChanged', data: { fields: { cover: null } } },
        { type: 'FileReleased', data: { file_id: cover } },
      );
    given(calendarEventDecider, created({ cover, materials }))
      .when({ type: 'DeleteEvent' })
      .then(
        { type: 'FileReleased', data: { file_id: cover } },
        { type: 'FileReleased', data: { file_id } },
        { type: 'EventDeleted', data: {} },
      );
  });
});
