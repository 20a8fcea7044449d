import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { narrow } from '../index.ts';

const staff = { sees: 'staff' } as const;
const member = { sees: 'member' } as const;
const inner = z.object({ open: z.string(), closed: z.string().meta(staff) });

const schema = z.object({
  open: z.string(),
  note: z.string().nullable().meta(staff),
  wrapped: z.string().meta(staff).optional(),
  joined: z.string().meta(member).nullable().optional(),
  list: z.array(inner),
  maybe: inner.nullable().optional(),
  either: z.union([z.string(), inner]),
  kind: z.discriminatedUnion('type', [
    z.object({ type: z.literal('a'), secret: z.string().meta(staff) }),
    z.object({ type: z.literal('b'), open: z.string() }),
  ]),
  map: z.record(z.string(), inner),
  pair: z.tuple([z.string(), inner]),
  strict: z.strictObject({ open: z.string(), closed: z.string().meta(staff) }),
});

const part = { open: 'o', closed: 'SECRET', extra: 'SECRET' };
const whole = {
  open: 'o',
  note: 'SECRET',
  wrapped: 'SECRET',
  joined: 'JOINED',
  list: [part, part],
  maybe: part,
  either: part,
  kind: { type: 'a', secret: 'SECRET', extra: 'SECRET' },
  map: { x: part },
  pair: ['p', part],
  strict: { open: 'o', closed: 'SECRET' },
  extra: 'SECRET',
};

describe('the reply filter', () => {
  test('removes marked fields for lesser views, however deep, and undeclared ones for all', () => {
    const shown = { open: 'o' };
    const publicly = {
      open: 'o',
      list: [shown, shown],
      maybe: shown,
      either: shown,
      kind: { type: 'a' },
      map: { x: shown },
      pair: ['p', shown],
      strict: shown,
    };
    expect(narrow(schema, 'anonymous').parse(whole)).toEqual(publicly);
    expect(narrow(schema, 'member').parse(whole)).toEqual({ ...publicly, joined: 'JOINED' });
  });

  test('shows staff everything that is declared', () => {
    const { extra: _, ...rest } = whole;
    const { extra: __, ...full } = part;
    const list = [full, full];
    expect(narrow(schema, 'staff').parse({ ...whole, strict: { open: 'o', closed: 'SECRET' } })).toEqual({
      ...rest,
      list,
      maybe: full,
      either: full,
      kind: { type: 'a', secret: 'SECRET' },
      map: { x: full },
      pair: ['p', full],
    });
  });

  test('lets staff get an item that was already narrowed', () => {
    expect(narrow(inner, 'staff').parse({ open: 'o' })).toEqual({ open: 'o' });
  });

  test('goes into schemas that contain themselves', () => {
    const node = z.object({
      name: z.string(),
      note: z.string().meta(staff),
      get kids() {
        return z.array(node);
      },
    });
    const tree = { name: 'a', note: 'SECRET', kids: [{ name: 'b', note: 'SECRET', kids: [] }] };
    expect(narrow(node, 'anonymous').parse(tree)).toEqual({ name: 'a', kids: [{ name: 'b', kids: [] }] });
    const lazy: z.ZodType = z.lazy(() => z.object({ note: z.string().meta(staff), kids: z.array(lazy) }));
    expect(narrow(lazy, 'anonymous').parse({ note: 'SECRET', kids: [{ note: 'SECRET', kids: [] }] })).toEqual({
      kids: [{ kids: [] }],
    });
  });

  test('still refuses a reply of another shape', () => {
    expect(narrow(schema, 'anonymous').safeParse({ ...whole, open: 1 }).success).toBe(false);
  });

  test('holds to names and types, not to rules that values were held to when they came in', () => {
    const upper = (value: string) => value.toUpperCase();
    const ruledOnes = z.object({
      text: z.string().max(3).overwrite(upper),
      list: z.array(z.string().min(2)).max(1),
      count: z.int().min(5),
      at: z.iso.datetime(),
      either: z.union([z.string().max(3).overwrite(upper), z.string()]),
    });
    const kept = { text: 'long', list: ['a', 'b'], count: 1, at: '2026-01-05T08:00:00.000Z', either: 'abc' };
    const narrowed = narrow(ruledOnes, 'anonymous');
    expect(narrowed.parse(kept)).toEqual({ ...kept, either: 'ABC' });
    expect(narrowed.parse({ ...kept, either: 'long' })).toEqual({ ...kept, either: 'long' });
    for (const wrong of [{ text: 7 }, { list: 'a' }, { list: [1] }, { count: 1.5 }, { at: 'yesterday' }])
      expect(narrowed.safeParse({ ...kept, ...wrong }).success).toBe(false);
  });
});
