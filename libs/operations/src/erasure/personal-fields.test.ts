import { UnsoundMark, Vault, catalogueOf, encryptedEventLog, memoryEventLog, memoryKeyStore } from '@lyceum/eventlog';
import { type EventOf, type EventTypes, checkEvent, ofStream, personal } from '@lyceum/kernel';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';

const typesOf = (shape: z.ZodRawShape): EventTypes => ({ Told: { version: 1, data: z.object(shape) } });

describe('marking personal fields', () => {
  const text = () => personal(z.string(), ofStream);

  test('types them as nullable, and nothing else', () => {
    const types = { Opened: { version: 1, data: z.object({ email: text(), role: z.string() }) } } as const;
    const event: EventOf<typeof types> = { type: 'Opened', data: { email: null, role: 'owner' } };
    const { email }: { email: string | null } = event.data;
    expect(email).toBeNull();
    expect(checkEvent(types, { type: 'Opened', data: { email: 'a', role: 'owner' } })).toEqual({ schema: 1 });
    expect(() => checkEvent(types, { type: 'Opened', data: { email: 1, role: 'owner' } })).toThrow();
  });

  test.each<[string, z.ZodRawShape]>([
    ['an empty subject', { a: personal(z.string(), '') }],
    ['no subject', { a: z.string().meta({ personal: true }) }],
    ['a subject that is no field', { a: personal(z.string(), 'who') }],
    ['a subject that may be absent', { a: personal(z.string(), 'who'), who: z.string().optional() }],
    ['a subject that is no text', { a: personal(z.string(), 'who'), who: z.number() }],
    ['a subject that is personal itself', { a: personal(z.string(), 'who'), who: personal(z.string(), ofStream) }],
    [
      'a subject beside it that is not there',
      { a: z.array(z.object({ b: personal(z.string(), './who') })), who: z.string() },
    ],
    ['a mark within a mark', { a: personal(z.object({ b: personal(z.string(), ofStream) }), ofStream) }],
    [
      'no subject, deep inside',
      { a: z.array(z.object({ b: z.record(z.string(), personal(z.string(), '').optional()) })) },
    ],
    ['no subject, in one option of a union', { a: z.union([z.number(), z.object({ b: personal(z.string(), '') })]) }],
  ])('with %s is refused when the process starts', (_, shape) => {
    expect(() => catalogueOf([typesOf(shape)])).toThrow(UnsoundMark);
  });

  test('all data of an event, or one type in two places, is refused too', () => {
    const whole = { Told: { version: 1, data: personal(z.object({ a: z.string() }), ofStream) } };
    expect(() => catalogueOf([whole as EventTypes])).toThrow(UnsoundMark);
    expect(() => catalogueOf([typesOf({ a: text() }), typesOf({ a: text() })])).toThrow(UnsoundMark);
    expect(catalogueOf([typesOf({ a: z.string() }), typesOf({ a: z.string() })]).size).toBe(0);
  });
});

/** A schema with data that fits it; `personal` texts begin with 🐤, all others do not. */
interface Sample {
  readonly schema: z.ZodType;
  readonly data: unknown;
}

const canary = '🐤';
const open = fc.string().map((text) => text.replaceAll(canary, ''));
const secret = fc.oneof(
  fc.string().map((text): Sample => ({ schema: z.string(), data: canary + text })),
  fc.integer().map((n): Sample => ({ schema: z.object({ n: z.int(), t: z.string() }), data: { n, t: canary } })),
  fc.array(fc.string()).map((texts): Sample => ({ schema: z.array(z.string()), data: texts.map((t) => canary + t) })),
);
const marked = secret.map(({ schema, data }): Sample => ({ schema: personal(schema, 'who'), data }));
const name = fc
  .stringMatching(/^[a-z_$][a-zA-Z0-9_$-]{0,6}$/)
  .filter((each) => !['who', '__proto__', '$personal'].includes(each));

const { sample } = fc.letrec<{ sample: Sample }>((tie) => ({
  sample: fc.oneof(
    { maxDepth: 4 },
    marked,
    open.map((data): Sample => ({ schema: z.string(), data })),
    marked.map(({ schema, data }): Sample => ({ schema: schema.optional(), data })),
    marked.map(({ schema }): Sample => ({ schema: schema.optional(), data: undefined })),
    fc.constant<Sample>({ schema: z.null(), data: null }),
    fc.tuple(tie('sample'), fc.nat(3)).map(([{ schema, data }, n]): Sample => ({
      schema: z.array(schema),
      data: data === undefined ? [] : Array.from({ length: n }, () => data),
    })),
    tie('sample').map(({ schema, data }): Sample => ({ schema: z.union([z.boolean(), schema]), data })),
    fc.tuple(name, tie('sample')).map(([key, { schema, data }]): Sample => ({
      schema: z.record(z.string(), schema),
      data: data === undefined ? {} : { [key]: data },
    })),
    fc
      .tuple(tie('sample'), tie('sample'))
      .filter((both) => both.every(({ data }) => data !== undefined))
      .map(([one, two]): Sample => ({ schema: z.tuple([one.schema, two.schema]), data: [one.data, two.data] })),
    fc.uniqueArray(fc.tuple(name, tie('sample')), { selector: ([key]) => key, maxLength: 4 }).map((fields): Sample => ({
      schema: z.object(Object.fromEntries(fields.map(([key, { schema }]) => [key, schema]))),
      data: Object.fromEntries(fields.map(([key, { data }]) => [key, data])),
    })),
  ),
}));

/** What is left when everything that begins with a canary is null; canaries stand nowhere else. */
const hasCanary = (value: unknown): boolean => JSON.stringify(value).includes(canary);

test('any data of any nested schema comes back as it was, lies nowhere in the clear, and erased keeps only what is not personal', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.tuple(name, sample), { selector: ([key]) => key, maxLength: 5 }),
      async (fields) => {
        const shape = Object.fromEntries(fields.map(([key, { schema }]) => [key, schema]));
        const given = { who: 'person_1', ...Object.fromEntries(fields.map(([key, { data }]) => [key, data])) };
        const data = JSON.parse(JSON.stringify(given)) as Record<string, unknown>;
        const types = typesOf({ who: z.string(), ...shape });
        const raw = memoryEventLog({ lanes: 1 });
        const vault = new Vault(memoryKeyStore(), [Buffer.alloc(32, 7)]);
        const log = encryptedEventLog(raw, { vault, catalogue: catalogueOf([types]) });
        const events = [{ stream: 'thing-1', type: 'Told', schema: 1, data }];
        const at = '2026-01-05T08:00:00.000Z';
        const meta = { actor: 'test' };
        await log.append({ tenant: 's', expectations: [], events, commitId: randomUUID(), fingerprint: '', at, meta });
        const dataIn = async (from: typeof log) => (await from.readLane(0, 0, 1))[0]!.events[0]!.data;
        expect(await dataIn(log)).toEqual(data);
        const { $personal: _, ...stored } = (await dataIn(raw)) as Record<string, unknown>;
        expect(hasCanary(await dataIn(raw))).toBe(false);
        await vault.destroy('s', 'person_1');
        const left = await dataIn(log);
        expect(left).toEqual(stored);
        // What is left still fits the schema, so every fold and upcaster that takes null can take it.
        expect(types['Told']!.data.parse(left)).toBeDefined();
      },
    ),
    { numRuns: 100 },
  );
});

test('each element of a list has its own subject, and recursive schemas are followed to their ends', async () => {
  interface Comment {
    by: string;
    text: string | null;
    replies: Comment[];
  }
  const comment: z.ZodType<Comment> = z.object({
    by: z.string(),
    text: personal(z.string(), './by'),
    replies: z.array(z.lazy(() => comment)),
  });
  const types = typesOf({ comments: z.array(comment) });
  const vault = new Vault(memoryKeyStore(), [Buffer.alloc(32, 7)]);
  const raw = memoryEventLog({ lanes: 1 });
  const log = encryptedEventLog(raw, { vault, catalogue: catalogueOf([types]) });
  const said = (by: string, replies: Comment[] = []): Comment => ({ by, text: `${canary} ${by}`, replies });
  const data = { comments: [said('ada', [said('bob', [said('ada')])]), said('eve')] };
  const events = [{ stream: 'page-1', type: 'Told', schema: 1, data }];
  const at = '2026-01-05T08:00:00.000Z';
  await log.append({
    tenant: 's',
    expectations: [],
    events,
    commitId: randomUUID(),
    fingerprint: '',
    at,
    meta: { actor: 't' },
  });
  expect(hasCanary(await raw.readLane(0, 0, 1))).toBe(false);
  await vault.destroy('s', 'ada');
  const left = ((await log.readLane(0, 0, 1))[0]!.events[0]!.data as typeof data).comments;
  expect([left[0]!.text, left[0]!.replies[0]!.text, left[0]!.replies[0]!.replies[0]!.text, left[1]!.text]).toEqual([
    null,
    `${canary} bob`,
    null,
    `${canary} eve`,
  ]);
});
