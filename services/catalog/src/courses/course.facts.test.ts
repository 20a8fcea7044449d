import { describe, expect, test } from '@jest/globals';
import type { Message } from '@lyceum/channel';
import { catalogFacts } from '@lyceum/contracts';
import { type Catalog, startCatalog } from '../testing.ts';

/** Runs some work in a catalog, and gives the messages that others heard of it. */
async function heardOf(work: (catalog: Catalog) => Promise<void>): Promise<readonly Message[]> {
  const catalog = await startCatalog();
  const heard: Message[] = [];
  const subscribed = catalog.channel.subscribe({
    consumer: 'test',
    source: 'catalog',
    from: async () => 0,
    handle: async (message) => void heard.push(message),
  });
  try {
    await work(catalog);
    await subscribed.caughtUp();
    return heard;
  } finally {
    await subscribed.close();
    await catalog.close();
  }
}

const factsOf = (heard: readonly Message[]) => heard.flatMap(({ facts }) => facts);

describe('what other services hear', () => {
  test('is when people may enroll, drafts too, where a creation or a change says so', async () => {
    const [opens_at, closes_at] = ['2027-01-01T00:00:00.000Z', '2027-02-01T00:00:00.000Z'];
    let course_id = '';
    const heard = await heardOf(async (catalog) => {
      await catalog.create({ title: 'At any time' });
      course_id = (await catalog.create({ title: 'In January', enrollment_opens_at: opens_at })).id;
      const patch = (body: object) => catalog.call('PATCH', `/api/courses/${course_id}`, { body });
      await patch({ enrollment_closes_at: closes_at });
      await patch({ subtitle: 'As before' });
      await patch({ enrollment_opens_at: null });
    });
    const facts = factsOf(heard).filter(({ type }) => type === 'EnrollmentPeriodSet');
    expect(facts.map(({ data }) => data)).toEqual([
      { course_id, opens_at, closes_at: null, presale_opens_at: null },
      { course_id, closes_at },
      { course_id, opens_at: null },
    ]);
  });

  test('is that a course became public or is not any more, and nothing else of drafts', async () => {
    let course_id = '';
    const heard = await heardOf(async (catalog) => {
      await catalog.create({ title: 'Silent draft', internal_note: 'private' });
      const loud = { title: 'Loud', lecturer_ids: ['lecturer_1'], listing: 'unlisted', internal_note: 'private' };
      course_id = (await catalog.create(loud)).id;
      const at = `/api/courses/${course_id}`;
      for (const what of ['publish', 'unpublish', 'publish']) await catalog.call('POST', `${at}/${what}`);
      await catalog.call('PATCH', at, { body: { title: 'Louder', internal_note: 'still private' } });
      await catalog.call('PATCH', at, { body: { internal_note: 'private again' } });
      await catalog.call('POST', `${at}/archive`);
    });
    const facts = factsOf(heard).filter(({ type }) => type.startsWith('Course'));
    const published = { course_id, slug: 'loud', title: 'Loud', access: 'free', listed: false };
    const sold = { prices: [], seat_limit: null, lecturer_ids: ['lecturer_1'], access_days: null };
    const never_listed = true;
    const shown = { ...published, summary: null, ...sold, never_listed };
    expect(facts.map(({ type, data }) => [type, data])).toEqual([
      ['CoursePublished', published],
      ['CourseShown', shown],
      ['CourseUnpublished', { course_id, never_listed }],
      ['CoursePublished', published],
      ['CourseShown', shown],
      ['CourseShown', { ...shown, title: 'Louder' }],
      ['CourseUnpublished', { course_id, never_listed }],
      ['CourseArchived', { course_id, never_listed }],
    ]);
    for (const { type, data, subject } of facts) {
      expect(subject).toBe(course_id);
      expect(() => catalogFacts[type as keyof typeof catalogFacts].data.parse(data)).not.toThrow();
    }
    expect(heard.map(({ tenant }) => tenant)).toEqual(heard.map(() => 'school_1'));
  });

  test('are prices, seats and lecturers of whatever can be sold and taught, from when they count', async () => {
    const ids: string[] = [];
    const heard = await heardOf(async (catalog) => {
      const sold = { title: 'Sold', prices: [{ amount: 4900 }], seat_limit: 12, lecturer_ids: ['lecturer_1'] };
      const course = await catalog.create(sold);
      const body = { title: 'Sheets', access: 'paid', prices: [{ amount: 700 }] };
      const product = await catalog.call('POST', '/api/digital_products', { body });
      ids.push(course.id, product.body.id);
      const change = { prices: [], access: 'free', seat_limit: null, lecturer_ids: ['lecturer_2'] };
      await catalog.call('PATCH', `/api/courses/${course.id}`, { body: change });
    });
    const [course_id, product_id] = ids;
    const [of, sheets] = [
      { item_type: 'course', item_id: course_id },
      { item_type: 'digital_product', item_id: product_id },
    ];
    const dated = { price_id: expect.stringMatching(/^price_/), effective_at: expect.stringMatching(/Z$/) };
    const facts = factsOf(heard).filter(({ type }) => !/^(Section|Lesson|Curriculum)/.test(type));
    expect(facts.map(({ type, data }) => [type, data])).toEqual([
      ['PriceSet', { ...of, ...dated, amount: 4900, currency: 'USD' }],
      ['SeatLimitChanged', { course_id, seat_limit: 12 }],
      ['LecturerAssigned', { course_id, lecturer_id: 'lecturer_1' }],
      ['PriceSet', { ...sheets, ...dated, amount: 700, currency: 'USD' }],
      ['PriceRemoved', { ...of, ...dated }],
      ['SeatLimitChanged', { course_id, seat_limit: null }],
      ['LecturerUnassigned', { course_id, lecturer_id: 'lecturer_1' }],
      ['LecturerAssigned', { course_id, lecturer_id: 'lecturer_2' }],
    ]);
  });

  test('is that a lecturer is not to be named any more, or again, and nothing of what the profile says', async () => {
    let lecturer_id = '';
    const heard = await heardOf(async (catalog) => {
      const made = await catalog.call('POST', '/api/lecturers', { body: { display_name: 'Ana Duarte' } });
      lecturer_id = made.body.id;
      const at = `/api/lecturers/${lecturer_id}`;
      await catalog.call('PATCH', at, { body: { title: 'Paper' } });
      for (const what of ['archive', 'restore', 'archive']) await catalog.call('POST', `${at}/${what}`);
      await catalog.call('DELETE', at);
    });
    const facts = factsOf(heard).filter(({ type }) => type.startsWith('Lecturer'));
    expect(facts.map(({ type, data }) => [type, data])).toEqual(
      ['LecturerArchived', 'LecturerRestored', 'LecturerArchived', 'LecturerRemoved'].map((type) => [
        type,
        { lecturer_id },
      ]),
    );
    expect(JSON.stringify(heard)).not.toContain('Duarte');
  });
});
