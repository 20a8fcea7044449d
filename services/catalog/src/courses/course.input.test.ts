import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Catalog, startCatalog } from '../testing.ts';

let catalog: Catalog;
let course: { id: string };
beforeAll(async () => {
  catalog = await startCatalog();
  course = await catalog.create({ title: 'Input' });
});
afterAll(() => catalog.close());

const long = (length: number) => 'x'.repeat(length);
const many = (count: number, item: (index: number) => unknown = (index) => `item${index}`) =>
  Array.from({ length: count }, (_, i) => item(i));

/** Field, unacceptable value, where the fault is reported. */
const bad: readonly [string, unknown, string?][] = [
  ['title', ''],
  ['title', '   '],
  ['title', long(201)],
  ['title', 'two\nlines'],
  ['title', 5],
  ['title', null],
  ['title', '\ud800'],
  ['slug', 'ab'],
  ['slug', long(81)],
  ['slug', 'Upper-Case'],
  ['slug', 'under_score'],
  ['slug', 'a b c'],
  ['slug', 'é-e-e'],
  ['slug', null],
  ['subtitle', long(201)],
  ['subtitle', 'a\u0000b'],
  ['summary', long(501)],
  ['summary', {}],
  ['description', [{ type: 'html', html: '<b>' }], 'description'],
  ['description', long(64 * 1024)],
  ['description', {}],
  [
    'description',
    [{ type: 'paragraph', text: [{ text: 'x', link: 'javascript:alert(1)' }] }],
    'description.0.text.0.link',
  ],
  ['cover', 'http://example.test/a.png'],
  ['cover', 'javascript:alert(1)'],
  ['cover', '/a.png'],
  ['cover', `https://example.test/${long(2048)}`],
  ['tags', many(21)],
  ['tags', [''], 'tags.0'],
  ['tags', [long(41)], 'tags.0'],
  ['tags', 'craft'],
  ['category', ''],
  ['category', long(61)],
  ['level', 'expert'],
  ['language', 'not a language'],
  ['language', 'x'],
  ['language', ''],
  ['lecturer_ids', many(11)],
  ['lecturer_ids', [long(65)], 'lecturer_ids.0'],
  ['lecturer_ids', ['a b'], 'lecturer_ids.0'],
  ['certificate', 'yes'],
  ['access', 'secret'],
  ['access', null],
  ['prices', [{ amount: -1 }], 'prices.0.amount'],
  ['prices', [{ amount: 1.5 }], 'prices.0.amount'],
  ['prices', [{ amount: '49' }], 'prices.0.amount'],
  ['prices', [{ amount: 2 ** 53 }], 'prices.0.amount'],
  ['prices', [{ amount: 10_000_000_000 }], 'prices.0.amount'],
  ['prices', [{}], 'prices.0.amount'],
  ['prices', many(11, () => ({ amount: 1 }))],
  ['prices', [{ amount: 1, currency: 'usd' }], 'prices.0.currency'],
  ['prices', [{ amount: 1, currency: 'EUR' }], 'prices.0.currency'],
  ['prices', [{ id: 'price_x', amount: 1 }], 'prices.0.id'],
  ['prices', [{ amount: 1, vat: 2 }], 'prices.0.vat'],
  ['enrollment_opens_at', '2026-01-01'],
  ['enrollment_opens_at', 'soon'],
  ['enrollment_opens_at', '2026-02-30T00:00:00Z'],
  ['enrollment_opens_at', 1767225600],
  ['enrollment_closes_at', '2026-13-01T00:00:00Z'],
  ['presale_opens_at', ''],
  ['access_days', 0],
  ['access_days', -1],
  ['access_days', 1.5],
  ['access_days', '30'],
  ['seat_limit', 0],
  ['seat_limit', 2.5],
  ['listing', 'hidden'],
  ['listing', null],
  ['internal_note', long(5001)],
  ['status', 'published'],
  ['published_at', '2026-01-01T00:00:00Z'],
  ['id', 'course_1'],
  ['created_by', 'me'],
  ['lesson_count', 3],
  ['__proto__x', 1],
];

describe('unacceptable input', () => {
  test.each(bad.map(([field, value, path]) => [field, value, path ?? field] as const))(
    '%s = %j is 422 and changes nothing',
    async (field, value, path) => {
      const before = (await catalog.call('GET', `/api/courses/${course.id}`)).body;
      const patched = await catalog.call('PATCH', `/api/courses/${course.id}`, { body: { [field]: value } });
      expect(patched).toMatchObject({ status: 422, body: { error: 'validation_failed' } });
      expect(patched.body.details.map((detail: { path: string }) => detail.path)).toContain(path);
      const created = await catalog.call('POST', '/api/courses', { body: { title: 'x', [field]: value } });
      expect(created.status).toBe(422);
      expect((await catalog.call('GET', `/api/courses/${course.id}`)).body).toEqual(before);
    },
  );

  test('names the field when enrollment closes before it opens', async () => {
    const body = { enrollment_opens_at: '2026-03-02T00:00:00Z', enrollment_closes_at: '2026-03-02T00:00:00Z' };
    const got = await catalog.call('PATCH', `/api/courses/${course.id}`, { body });
    expect(got).toMatchObject({
      status: 422,
      body: { details: [{ path: 'enrollment_closes_at', code: 'not_after_open' }] },
    });
  });

  test.each([
    ['no body', undefined, 400],
    ['not JSON', '{title:', 400],
    ['a list', [], 422],
    ['a text', '"title"', 422],
    ['no title', {}, 422],
  ])('creating with %s', async (_, body, status) =>
    expect((await catalog.call('POST', '/api/courses', { body })).status).toBe(status),
  );

  test('another media type is 415', async () => {
    const headers = { 'content-type': 'text/plain' };
    expect((await catalog.call('POST', '/api/courses', { body: '{"title":"x"}', headers })).status).toBe(415);
  });

  test('a body that is too large is 413', async () => {
    expect((await catalog.call('POST', '/api/courses', { body: { title: long(300_000) } })).status).toBe(413);
  });

  test('publishing takes no body', async () => {
    const got = await catalog.call('POST', `/api/courses/${course.id}/publish`, { body: { force: true } });
    expect(got.status).toBe(400);
  });
});

describe('acceptable input', () => {
  test('at every limit', async () => {
    const body = {
      title: '🏮'.repeat(200),
      slug: 'a'.repeat(80),
      summary: long(500),
      tags: many(20),
      lecturer_ids: many(10, (index) => `lecturer_${index}`),
      cover: 'https://example.test/a.png',
      language: 'zh-Hant-TW',
      prices: [{ amount: 0 }, { amount: 9_999_999_999, currency: 'USD' }],
      access_days: 1,
      seat_limit: 1,
    };
    expect(await catalog.create(body)).toMatchObject({
      title: body.title,
      slug: body.slug,
      tags: body.tags,
      access: 'paid',
    });
  });

  const field = fc.constantFrom(
    'subtitle',
    'summary',
    'category',
    'level',
    'cover',
    'tags',
    'certificate',
    'access',
    'access_days',
    'seat_limit',
    'listing',
    'internal_note',
    'lecturer_ids',
  );
  const text = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
    .map((s) => `t${s.replaceAll(/[\p{Control}\p{Surrogate}]/gu, '')}`.trim());
  const values: Record<string, fc.Arbitrary<unknown>> = {
    subtitle: fc.option(text),
    summary: fc.option(text),
    category: fc.option(text),
    internal_note: fc.option(text),
    level: fc.constantFrom(null, 'beginner', 'any'),
    cover: fc.constantFrom(null, 'https://example.test/a', 'https://example.test/b'),
    tags: fc.option(fc.uniqueArray(text, { maxLength: 3 })),
    lecturer_ids: fc.option(fc.uniqueArray(fc.constantFrom('lecturer_1', 'lecturer_2', 'lecturer_3'))),
    certificate: fc.option(fc.boolean()),
    access: fc.constantFrom('free', 'open', 'members'),
    access_days: fc.option(fc.integer({ min: 1 })),
    seat_limit: fc.option(fc.integer({ min: 1 })),
    listing: fc.constantFrom('listed', 'unlisted'),
  };
  const patch = fc
    .uniqueArray(field)
    .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, values[name]!]))));
  const cleared: Record<string, unknown> = { tags: [], lecturer_ids: [], certificate: false };

  /** The algorithm of RFC 7396 §2, where no member is an object, on documents that show null for what is cleared. */
  const merged = (target: Record<string, unknown>, change: Record<string, unknown>) => ({
    ...target,
    ...Object.fromEntries(Object.entries(change).map(([name, value]) => [name, value ?? cleared[name] ?? null])),
  });
  const comparable = ({ version: _v, updated_at: _u, seats: _s, lecturer_ids, ...rest }: Record<string, unknown>) => ({
    ...rest,
    lecturer_ids: [...(lecturer_ids as string[])].sort(),
  });

  test('RFC 7396 §2: any sequence of patches gives what the algorithm gives', async () => {
    const made = await catalog.create({ title: 'Any patch' });
    let model: Record<string, unknown> = made;
    await fc.assert(
      fc.asyncProperty(patch, async (change) => {
        model = merged(model, change);
        const got = await catalog.call('PATCH', `/api/courses/${made.id}`, { body: change });
        expect(got.status).toBe(200);
        expect(comparable(got.body)).toEqual(comparable(model));
        expect((await catalog.call('GET', `/api/courses/${made.id}`)).body).toEqual(got.body);
      }),
      { numRuns: 40, endOnFailure: true },
    );
  });
});
