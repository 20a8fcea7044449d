import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { memoized, listReply } from '../index.ts';
import { listFilter, replyFilter } from './reply-filter.ts';

const staff = { sees: 'staff' } as const;
let parsed = 0;
const counted = z.string().transform((value) => {
  parsed += 1;
  return value;
});
const schema = z.object({ id: counted, note: z.string().optional().meta(staff) });

/** How often a field of this schema was looked at. */
const times = (work: () => unknown): number => {
  parsed = 0;
  work();
  return parsed;
};

describe('an immutable document', () => {
  const documentOf = memoized(({ id }: { readonly id: string }, note: string) => ({ id, note, extra: 'SECRET' }));
  const thing = { id: 'a' };

  test('is made once for each thing and variant, and of another thing anew', () => {
    expect(documentOf(thing, 'x')).toBe(documentOf(thing, 'x'));
    expect(documentOf(thing, 'y')).toEqual({ id: 'a', note: 'y', extra: 'SECRET' });
    expect(documentOf({ id: 'a' }, 'x')).not.toBe(documentOf(thing, 'x'));
  });

  test('is filtered once for each view, and each view sees its own', () => {
    const [anonymous, all] = [replyFilter(schema, 'anonymous'), replyFilter(schema, 'staff')];
    const document = documentOf(thing, 'n');
    expect([all(document), anonymous(document)]).toEqual([{ id: 'a', note: 'n' }, { id: 'a' }]);
    expect(times(() => [anonymous(document), all(document)])).toBe(0);
    expect(times(() => [anonymous({ ...document }), anonymous({ ...document })])).toBe(2);
  });

  test('is filtered once also in lists, beside others; what does not fit is refused each time', () => {
    const filter = listFilter(z.object({ object: z.literal('list'), data: z.array(schema) }), 'anonymous');
    const list = () => ({ object: 'list', data: [documentOf(thing, 'n'), { id: 'b', note: 'n' }], extra: 'SECRET' });
    filter(list());
    expect(times(() => filter(list()))).toBe(1);
    expect(filter(list())).toEqual({ object: 'list', data: [{ id: 'a' }, { id: 'b' }] });
    const wrong = memoized(() => ({ id: 7 }))(thing, 'n');
    for (let time = 0; time < 2; time += 1) expect(() => filter({ object: 'list', data: [wrong] })).toThrow();
  });

  test('makes the list of a page last that shows such documents only, the same ones', () => {
    const page = { items: [thing, { id: 'b' }].map((body) => ({ id: body.id, body })), more: false };
    const shownTo = (note: string) => listReply(page, ({ body }) => documentOf(body, note)).body;
    const filter = listFilter(z.object({ object: z.literal('list'), data: z.array(schema) }), 'anonymous');
    expect(shownTo('x')).toBe(shownTo('x'));
    expect(filter(shownTo('x'))).toEqual({ object: 'list', data: [{ id: 'a' }, { id: 'b' }] });
    expect(filter(shownTo('x'))).toBe(filter(shownTo('x')));
    expect(shownTo('y')).toMatchObject({ data: [{ note: 'y' }, { note: 'y' }] });
    expect(shownTo('y')).toBe(shownTo('y'));
    const mixed = () =>
      listReply(page, ({ body }, index) => (index === 0 ? documentOf(body, 'x') : { id: 'c', note: 'z' })).body;
    expect(mixed()).toMatchObject({ data: [{ id: 'a' }, { id: 'c' }] });
    expect(mixed()).not.toBe(mixed());
    expect(listReply({ ...page }, ({ body }) => documentOf(body, 'x')).body).not.toBe(shownTo('x'));
  });
});
