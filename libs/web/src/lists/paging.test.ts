import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Collection } from '@lyceum/documents';
import fc from 'fast-check';
import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { Problem, cursorCodec, listOf, listQuery, listReply, operation } from '../index.ts';
import { type Sent, type Serving, serving } from '../testing/serving.ts';

const things: Collection = { name: 'things', version: 1, fields: { title: 'text', level: 'text' } };
const item = z.object({ id: z.string(), title: z.string(), note: z.string().meta({ sees: 'staff' }) });

const list = (id: string, path: string) =>
  operation({
    id,
    method: 'GET',
    path,
    area: 'courses',
    summary: 'List things',
    scope: 'courses:read',
    anonymous: true,
    status: 200,
    query: z.strictObject({ ...listQuery, level: z.string().optional() }),
    reply: listOf(item),
    async handle(call, { documents }) {
      const { level } = call.query;
      const sort = { field: 'title' } as const;
      const where = level === undefined ? [] : [{ field: 'level', is: level }];
      return listReply(
        await documents.query(things, call.school, { where, sort, ...call.page }),
        ({ id, body }) => ({ id, ...body }),
        sort,
      );
    },
  });

let service: Serving;
beforeAll(async () => {
  service = await serving([list('listThings', '/api/things'), list('listOthers', '/api/others')]);
  const { documents } = service.ports;
  await documents.open(things);
  const writes = Array.from({ length: 45 }, (_, at) => ({
    tenant: 'school_1',
    id: `thing_${at}`,
    body: {
      title: `Title ${Math.floor(at / 2)}`,
      level: at % 3 === 0 ? 'easy' : 'hard',
      note: 'for staff',
      hidden: 'x',
    },
  }));
  await documents.apply(things, 'test', 0, 0, 1, writes);
});
afterAll(() => service.close());

interface Listed {
  object: string;
  data: { id: string; note?: string }[];
  has_more: boolean;
  next_cursor: string | null;
  view: string;
}
const read = async (path: string, sent: Sent = {}) => {
  const answer = await service.send(path, sent);
  return { ...answer, list: answer.json as unknown as Listed };
};

describe('a list', () => {
  test('has 20 items by default and says how to go on', async () => {
    const { list: page, headers } = await read('/api/things?level=hard');
    expect(page).toMatchObject({ object: 'list', has_more: true, view: 'anonymous' });
    expect(page.data).toHaveLength(20);
    expect(headers.link).toBe(`</api/things?level=hard&cursor=${page.next_cursor}>; rel="next"`);
  });

  test('RFC 8288 §3: following the links gives every item once, in order, also with equal sort values', async () => {
    const ids: string[] = [];
    let path: string | undefined = '/api/things?limit=4';
    while (path !== undefined) {
      const page = await read(path);
      ids.push(...page.list.data.map(({ id }) => id));
      path = /^<([^>]+)>; rel="next"$/.exec(page.headers.link as unknown as string)?.[1];
      expect(page.list.has_more).toBe(path !== undefined);
    }
    expect(ids).toHaveLength(45);
    expect(new Set(ids).size).toBe(45);
  });

  test('the last page has no cursor and no link', async () => {
    const { list: page, headers } = await read('/api/things?limit=100');
    expect([page.data.length, page.has_more, page.next_cursor, headers.link]).toEqual([45, false, null, undefined]);
  });

  test('the limit may change from page to page', async () => {
    const { list: page } = await read('/api/things?limit=2');
    expect((await read(`/api/things?limit=5&cursor=${page.next_cursor}`)).list.data).toHaveLength(5);
  });

  test.each(['0', '101', '-1', '1.5', 'x', ''])('limit=%s is 422', async (limit) => {
    expect((await read(`/api/things?limit=${limit}`)).status).toBe(422);
  });

  test('items lose what the view may not see, and what is not declared', async () => {
    expect((await read('/api/things')).list.data[0]).toEqual({ id: 'thing_0', title: 'Title 0' });
    expect((await read('/api/things', { as: {} })).list.data[0]).toEqual({
      id: 'thing_0',
      title: 'Title 0',
      note: 'for staff',
    });
  });
});

describe('a cursor', () => {
  const refused = async (path: string, sent?: Sent) => {
    const { status, json } = await read(path, sent);
    expect([status, json['error']]).toEqual([400, 'invalid_request']);
  };

  test('is good for the same list, filters and view only', async () => {
    const { list: page } = await read('/api/things?level=hard');
    const cursor = page.next_cursor!;
    expect((await read(`/api/things?cursor=${cursor}&level=hard`)).status).toBe(200);
    await refused(`/api/things?cursor=${cursor}`);
    await refused(`/api/things?cursor=${cursor}&level=easy`);
    await refused(`/api/others?cursor=${cursor}&level=hard`);
    await refused(`/api/things?cursor=${cursor}&level=hard`, { as: {} });
    await refused(`/api/things?cursor=${cursor.slice(0, -2)}&level=hard`);
    await refused(`/api/things?cursor=${cursor}A&level=hard`);
    await refused('/api/things?cursor=nonsense');
  });

  test('comes back as it was sealed, for any keyset', () => {
    const codec = cursorCodec('secret');
    const value = fc.oneof(fc.string(), fc.integer(), fc.constant(null));
    fc.assert(
      fc.property(value, fc.string(), fc.string(), (sort, id, bound) => {
        expect(codec.open(codec.seal({ value: sort, id }, bound), bound)).toEqual({ value: sort, id });
      }),
    );
  });

  test('S14: tells nothing of where it points to, and equal places have equal cursors', () => {
    const codec = cursorCodec('secret');
    const sealed = codec.seal({ value: 'Title', id: 'thing_1' }, 'here');
    expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toMatch(/Title|thing/);
    expect(codec.seal({ value: 'Title', id: 'thing_1' }, 'here')).toBe(sealed);
    expect(codec.seal({ value: 'Title', id: 'thing_1' }, 'there')).not.toBe(sealed);
  });

  test('of the release before, which was signed only, is still good, and no other signature is', () => {
    const payload = Buffer.from(JSON.stringify(['Title', 'thing_1']));
    const mac = (secret: string) =>
      createHmac('sha256', secret).update('here\n').update(payload).digest().subarray(0, 16);
    const old = (secret: string) => Buffer.concat([mac(secret), payload]).toString('base64url');
    expect(cursorCodec('secret').open(old('secret'), 'here')).toEqual({ value: 'Title', id: 'thing_1' });
    expect(() => cursorCodec('secret').open(old('another'), 'here')).toThrow(Problem);
    expect(() => cursorCodec('secret').open(old('secret'), 'there')).toThrow(Problem);
  });

  test('cannot be changed, moved or made up', () => {
    const codec = cursorCodec('secret');
    const sealed = codec.seal({ value: 'Title', id: 'thing_1' }, 'here');
    fc.assert(
      fc.property(fc.nat(sealed.length - 1), fc.constantFrom(...'Aa0-_'), (at, by) => {
        const changed = sealed.slice(0, at) + by + sealed.slice(at + 1);
        if (changed !== sealed) expect(() => codec.open(changed, 'here')).toThrow(Problem);
      }),
    );
    fc.assert(fc.property(fc.string(), (text) => expect(() => codec.open(text, 'here')).toThrow(Problem)));
    expect(() => codec.open(sealed, 'there')).toThrow(Problem);
    expect(() => cursorCodec('another').open(sealed, 'here')).toThrow(Problem);
  });
});
