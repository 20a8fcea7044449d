import { describe, expect, test } from '@jest/globals';
import { given } from '@lyceum/testkit';
import fc from 'fast-check';
import type { WantedPrice } from '../values/prices.ts';
import type { Changes } from './course.rules.ts';
import type { CourseEvent } from './course.events.ts';
import type { CourseFields } from './course.fields.ts';
import { courseDecider } from './course.ts';
import { type Course, evolve } from './course.state.ts';

const fields: CourseFields = {
  title: 'Paper lanterns',
  subtitle: null,
  summary: null,
  description: [],
  cover: null,
  tags: [],
  category: null,
  level: null,
  language: null,
  certificate: false,
  access: 'free',
  enrollment_opens_at: null,
  enrollment_closes_at: null,
  presale_opens_at: null,
  access_days: null,
  listing: 'listed',
  internal_note: null,
};

const currency = 'USD';
const created = (over: Partial<CourseFields> = {}): CourseEvent => ({
  type: 'CourseCreated',
  data: { course_id: 'course_1', slug: 'paper-lanterns', fields: { ...fields, ...over }, created_by: 'member_1' },
});
const assigned = (lecturer_id = 'lecturer_1'): CourseEvent => ({ type: 'LecturerAssigned', data: { lecturer_id } });
const unassigned = (lecturer_id = 'lecturer_1'): CourseEvent => ({ type: 'LecturerUnassigned', data: { lecturer_id } });
const priced = (price_id = 'price_1', amount = 4900): CourseEvent => ({
  type: 'PriceSet',
  data: { price_id, amount, currency },
});
const published = (over: object = {}): CourseEvent => ({
  type: 'CoursePublished',
  data: { slug: 'paper-lanterns', title: 'Paper lanterns', access: 'free', listed: true, ...over },
});
const shown = (over: object = {}): CourseEvent => ({
  type: 'CourseShown',
  data: {
    slug: 'paper-lanterns',
    title: 'Paper lanterns',
    summary: null,
    access: 'free',
    listed: true,
    prices: [],
    seat_limit: null,
    lecturer_ids: ['lecturer_1'],
    access_days: null,
    ...over,
  },
});
const unpublished: CourseEvent = { type: 'CourseUnpublished', data: {} };
const archived: CourseEvent = { type: 'CourseArchived', data: {} };
const deleted: CourseEvent = { type: 'CourseDeleted', data: {} };
const changed = (fields: Partial<CourseFields>): CourseEvent => ({ type: 'CourseChanged', data: { fields } });

const course = (...history: CourseEvent[]) => given(courseDecider, ...history);
const live = [created(), assigned(), published()] as const;
const price = (over: Partial<WantedPrice> = {}): WantedPrice => ({
  id: 'price_new',
  amount: 4900,
  currency,
  fresh: true,
  ...over,
});

const create = (over: object = {}) =>
  ({
    type: 'CreateCourse',
    id: 'course_1',
    by: 'member_1',
    slug: 'paper-lanterns',
    fields,
    prices: [],
    seat_limit: null,
    lecturer_ids: [],
    currency,
    ...over,
  }) as const;
const change = (changes: Changes) => ({ type: 'ChangeCourse', changes, currency }) as const;
const publish = { type: 'PublishCourse', currency, lesson_count: 1, active: ['lecturer_1'] } as const;
const unpublish = { type: 'UnpublishCourse' } as const;
const archive = { type: 'ArchiveCourse' } as const;
const remove = { type: 'DeleteCourse' } as const;

describe('creating a course', () => {
  test('records it as a draft', () => course().when(create()).then(created()));

  test('records prices as facts of their own', () =>
    course()
      .when(create({ prices: [price()] }))
      .then(created(), priced('price_new')));

  test('records lecturers as facts of their own', () =>
    course()
      .when(create({ lecturer_ids: ['lecturer_1'] }))
      .then(created(), assigned()));

  test('records a seat limit as a fact of its own', () =>
    course()
      .when(create({ seat_limit: 3 }))
      .then(created(), { type: 'SeatLimitChanged', data: { seat_limit: 3 } }));

  test('refuses an id that is in use', () => course(created()).when(create()).rejected('invalid_state'));

  test('refuses the id of a deleted course', () => course(created(), deleted).when(create()).rejected('invalid_state'));

  test('refuses a price in another currency than the school', () =>
    course()
      .when(create({ prices: [price({ currency: 'EUR' })] }))
      .rejected('validation_failed'));

  test('refuses an enrollment that closes before it opens', () =>
    course()
      .when(
        create({
          fields: {
            ...fields,
            enrollment_opens_at: '2026-03-02T00:00:00.000Z',
            enrollment_closes_at: '2026-03-01T00:00:00.000Z',
          },
        }),
      )
      .rejected('validation_failed'));
});

describe('changing a course', () => {
  test('records only what is different', () =>
    course(created())
      .when(change({ title: 'Paper lanterns', subtitle: 'With LED candles' }))
      .then(changed({ subtitle: 'With LED candles' })));

  test('that is so already changes nothing', () =>
    course(created(), priced(), assigned())
      .when(change({ title: 'Paper lanterns', prices: [price()], lecturer_ids: ['lecturer_1'], seat_limit: null }))
      .unchanged());

  test('refuses a close that equals the open of before', () =>
    course(created({ enrollment_opens_at: '2026-03-01T00:00:00.000Z' }))
      .when(change({ enrollment_closes_at: '2026-03-01T00:00:00.000Z' }))
      .rejected('validation_failed'));

  test('takes a new slug and keeps the old one', () => {
    course(created())
      .when(change({ slug: 'lanterns' }))
      .then({ type: 'CourseSlugChanged', data: { slug: 'lanterns' } });
    const { state } = course(created(), { type: 'CourseSlugChanged', data: { slug: 'lanterns' } });
    expect((state as Course).slugs).toEqual(['paper-lanterns', 'lanterns']);
  });

  test('replaces the list of prices: what is not in it is removed', () =>
    course(created(), priced('price_1', 4900), priced('price_2', 9900))
      .when(change({ prices: [price({ amount: 9900 }), price({ id: 'price_3', amount: 100 })] }))
      .then({ type: 'PriceRemoved', data: { price_id: 'price_1' } }, priced('price_3', 100)));

  test('changes a price that is named by its id', () =>
    course(created(), priced())
      .when(change({ prices: [price({ id: 'price_1', fresh: false, amount: 5900 })] }))
      .then(priced('price_1', 5900)));

  test('refuses a price id that the course does not have', () =>
    course(created(), priced())
      .when(change({ prices: [price({ id: 'price_9', fresh: false })] }))
      .rejected('validation_failed'));

  test('assigns and unassigns lecturers by difference', () =>
    course(created(), assigned('lecturer_1'), assigned('lecturer_2'))
      .when(change({ lecturer_ids: ['lecturer_2', 'lecturer_3'] }))
      .then(unassigned('lecturer_1'), assigned('lecturer_3')));

  test('lifts the seat limit with null', () =>
    course(created(), { type: 'SeatLimitChanged', data: { seat_limit: 3 } })
      .when(change({ seat_limit: null }))
      .then({ type: 'SeatLimitChanged', data: { seat_limit: null } }));

  test('refuses to leave a published course without a lecturer', () =>
    course(...live)
      .when(change({ lecturer_ids: [] }))
      .rejected('not_ready'));

  test('refuses to make a published course paid without a price', () =>
    course(...live)
      .when(change({ access: 'paid' }))
      .rejected('not_ready'));

  test('makes a published course paid when the price comes with it', () =>
    course(...live)
      .when(change({ access: 'paid', prices: [price()] }))
      .then(
        changed({ access: 'paid' }),
        priced('price_new'),
        shown({ access: 'paid', prices: [{ id: 'price_new', amount: 4900, currency }] }),
      ));

  test('is not held against what a published course lacked before', () =>
    course(created(), published())
      .when(change({ subtitle: 'Still without a lecturer' }))
      .then(changed({ subtitle: 'Still without a lecturer' })));

  test('refuses an archived course', () =>
    course(...live, archived)
      .when(change({ title: 'Again' }))
      .rejected('invalid_state'));
});

describe('publishing', () => {
  test('a complete draft makes it public, with what others show of it', () =>
    course(created(), assigned()).when(publish).then(published(), shown()));

  test('needs an active lecturer', () =>
    course(created(), assigned())
      .when({ ...publish, active: [] })
      .rejected('not_ready'));

  test('needs a published lesson', () =>
    course(created(), assigned())
      .when({ ...publish, lesson_count: 0 })
      .rejected('not_ready'));

  test.each(['paid', 'presale'] as const)('a %s course needs a price', (access) =>
    course(created({ access }), assigned()).when(publish).rejected('not_ready'),
  );

  test.each(['free', 'open', 'members'] as const)('a course with %s access needs no price', (access) =>
    course(created({ access }), assigned()).when(publish).then(published({ access }), shown({ access })),
  );

  test('needs prices in the currency that the school has now', () =>
    course(created({ access: 'paid' }), priced(), assigned())
      .when({ ...publish, currency: 'EUR' })
      .rejected('not_ready'));

  test('tells that an unlisted course is not listed', () =>
    course(created({ listing: 'unlisted' }), assigned())
      .when(publish)
      .then(published({ listed: false }), shown({ listed: false, never_listed: true })));

  test('again changes nothing', () =>
    course(...live)
      .when(publish)
      .unchanged());

  test('brings an unpublished course back', () =>
    course(...live, unpublished)
      .when(publish)
      .then(published(), shown()));

  test('refuses an archived course', () =>
    course(...live, archived)
      .when(publish)
      .rejected('invalid_state'));

  test('keeps the time of the first publication', () => {
    const first = evolve(course(created(), assigned()).state, published(), { at: 'first', version: 3 });
    const later = evolve(first, published(), { at: 'later', version: 5 });
    expect(later).toMatchObject({ published_at: 'first', updated_at: 'later', version: 5 });
  });
});

describe('taking a course away', () => {
  test('unpublishing a published course', () =>
    course(...live)
      .when(unpublish)
      .then(unpublished));
  test('unpublishing again changes nothing', () =>
    course(...live, unpublished)
      .when(unpublish)
      .unchanged());
  test('a draft cannot be unpublished', () => course(created()).when(unpublish).rejected('invalid_state'));
  test('an archived course cannot be unpublished', () =>
    course(...live, archived)
      .when(unpublish)
      .rejected('invalid_state'));

  test('archiving a published course unpublishes it on the way', () =>
    course(...live)
      .when(archive)
      .then(unpublished, archived));
  test('archiving an unpublished course', () =>
    course(...live, unpublished)
      .when(archive)
      .then(archived));
  test('S14: what nobody ever found in the lists says so when it changes and goes, until it was listed once', () => {
    const never_listed = true;
    const secret = [created({ listing: 'unlisted' }), assigned(), published({ listed: false })] as const;
    const gone: CourseEvent = { type: 'CourseUnpublished', data: { never_listed } };
    const away: CourseEvent = { type: 'CourseArchived', data: { never_listed } };
    course(...secret)
      .when(unpublish)
      .then(gone);
    course(...secret)
      .when(archive)
      .then(gone, away);
    course(...secret)
      .when(change({ title: 'New' }))
      .then(changed({ title: 'New' }), shown({ title: 'New', listed: false, never_listed }));
    const found = [...secret, changed({ listing: 'listed' }), shown(), changed({ listing: 'unlisted' })] as const;
    course(...found, shown({ listed: false }))
      .when(archive)
      .then(unpublished, archived);
  });
  test('archiving again changes nothing', () =>
    course(...live, archived)
      .when(archive)
      .unchanged());
  test('a draft is not archived', () => course(created()).when(archive).rejected('invalid_state'));

  test('deleting a draft', () => course(created()).when(remove).then(deleted));
  test.each([
    ['published', live],
    ['unpublished', [...live, unpublished]],
    ['archived', [...live, archived]],
  ])('refuses to delete what was ever public (%s)', (_, history) =>
    course(...history)
      .when(remove)
      .rejected('invalid_state'),
  );
});

describe('a course that is not there', () => {
  const commands = [change({ title: 'x' }), publish, unpublish, archive, remove];
  test.each(commands.map((command) => [command.type, command] as const))('refuses %s', (_, command) => {
    course().when(command).rejected('not_found');
    course(created(), deleted).when(command).rejected('not_found');
  });
});

describe('slugs', () => {
  const moved: CourseEvent = { type: 'CourseSlugChanged', data: { slug: 'lanterns' } };
  const claim = (value: string) => ({ kind: 'course_slug', value, rejected: 'slug_taken' });

  test('are claimed when a course is created and when it moves', () => {
    expect(courseDecider.claims!(created())).toEqual([claim('paper-lanterns')]);
    expect(courseDecider.claims!(moved)).toEqual([claim('lanterns')]);
    expect(courseDecider.claims!(assigned())).toEqual([]);
  });

  test('stay claimed by a rename, and are all given back by deletion', () => {
    const { state } = course(created(), moved);
    expect(courseDecider.releases!(moved, state)).toEqual([]);
    expect(courseDecider.releases!(deleted, state)).toEqual([
      { kind: 'course_slug', value: 'paper-lanterns' },
      { kind: 'course_slug', value: 'lanterns' },
    ]);
  });

  test('a course that moves back has its first slug as the newest', () => {
    const back: CourseEvent = { type: 'CourseSlugChanged', data: { slug: 'paper-lanterns' } };
    expect((course(created(), moved, back).state as Course).slugs).toEqual(['lanterns', 'paper-lanterns']);
  });
});

describe('any change', () => {
  const prices = fc.array(
    fc.record({
      id: fc.constantFrom('price_a', 'price_b', 'price_c', 'price_d'),
      amount: fc.nat(3),
      currency: fc.constant(currency),
      fresh: fc.constant(true),
    }),
    { maxLength: 4 },
  );
  const ids = (wanted: readonly WantedPrice[]): WantedPrice[] =>
    wanted.map((each, i) => ({ ...each, id: `${each.id}${i}` }));
  const lecturers = fc.uniqueArray(fc.constantFrom('l1', 'l2', 'l3', 'l4'));

  test('leads to exactly the wanted prices and lecturers, and repeating it changes nothing', () => {
    fc.assert(
      fc.property(prices, lecturers, prices, lecturers, (firstPrices, firstLecturers, nextPrices, nextLecturers) => {
        const start = decided(course(), create({ prices: ids(firstPrices), lecturer_ids: firstLecturers }));
        const wanted = {
          prices: ids(nextPrices).map((each) => ({ ...each, id: `${each.id}x` })),
          lecturer_ids: nextLecturers,
        };
        const history = [...start, ...decided(course(...start), change(wanted))];
        const { state } = course(...history);
        const amounts = (list: readonly { amount: number }[]) => list.map((each) => each.amount).sort();
        expect(amounts((state as Course).prices)).toEqual(amounts(wanted.prices));
        expect([...(state as Course).lecturer_ids].sort()).toEqual([...nextLecturers].sort());
        course(...history)
          .when(change({ ...wanted, prices: wanted.prices.map((each) => ({ ...each, id: `${each.id}y` })) }))
          .unchanged();
      }),
    );
  });

  const decided = (
    { state }: { state: typeof courseDecider.initial },
    command: Parameters<typeof courseDecider.decide>[0],
  ) => courseDecider.decide(command, state) as readonly CourseEvent[];
});
