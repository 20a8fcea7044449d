import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { z } from 'zod';
import { type Call, operation } from '../index.ts';
import { type Sent, type Serving, serving } from '../testing/serving.ts';

const base = { area: 'courses', summary: 'A test operation', anonymous: true, status: 200 } as const;
let last: Call | undefined;
const keep = async (call: Call) => {
  last = call;
  return { body: { ok: true } };
};
const handle = keep as never;

const body = z.strictObject({
  title: z.string().min(1).max(20),
  prices: z.array(z.object({ amount: z.int().min(0) })).optional(),
  even: z
    .number()
    .refine((value) => value % 2 === 0, { params: { code: 'odd' } })
    .optional(),
});
const query = z.strictObject({ level: z.enum(['easy', 'hard']).optional(), size: z.coerce.number().int().optional() });

interface Tree {
  kids?: Tree[] | undefined;
}
const tree: z.ZodType<Tree> = z.lazy(() => z.object({ kids: z.array(tree).optional() }));

const operations = [
  operation({ ...base, id: 'createThing', method: 'POST', path: '/api/things', body, handle }),
  operation({ ...base, id: 'readThings', method: 'GET', path: '/api/things', query, handle }),
  operation({
    ...base,
    id: 'readLoose',
    method: 'GET',
    path: '/api/loose',
    query: z.object({ level: z.string().optional() }),
    handle,
  }),
  operation({
    ...base,
    id: 'publishThing',
    method: 'POST',
    path: '/api/things/{thing}/publish',
    params: z.object({ thing: z.string() }),
    ifMatch: 'accepted',
    handle,
  }),
  operation({
    ...base,
    id: 'replaceThing',
    method: 'PUT',
    path: '/api/things/{thing}',
    params: z.object({ thing: z.string() }),
    ifMatch: 'required',
    body,
    handle,
  }),
  operation({
    ...base,
    id: 'copyThing',
    method: 'POST',
    path: '/api/copies',
    body: z.strictObject({ title: z.string() }).optional(),
    handle,
  }),
  operation({ ...base, id: 'growTree', method: 'POST', path: '/api/trees', body: tree, handle }),
];

let service: Serving;
beforeAll(async () => {
  service = await serving(operations, { bodyLimit: 100_000 });
});
afterAll(() => service.close());

const post = (sent: Sent, path = '/api/things') => service.send(path, { method: 'POST', ...sent });
const codeOf = async (sent: Sent, path?: string) => {
  const { status, json } = await post(sent, path);
  return `${status} ${json['error'] ?? 'ok'}`;
};

describe('a body', () => {
  test('arrives parsed', async () => {
    expect(await codeOf({ body: { title: 'x' } })).toBe('200 ok');
    expect(last!.body).toEqual({ title: 'x' });
  });

  test.each([
    'application/json; charset=utf-8',
    'application/merge-patch+json',
    'APPLICATION/JSON',
    'application/json;charset="UTF-8"',
  ])('RFC 8259 §11: %s is JSON', async (type) => {
    expect(await codeOf({ body: { title: 'x' }, headers: { 'content-type': type } })).toBe('200 ok');
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonx',
    'application/json; charset=latin1',
    '',
  ])('RFC 9110 §15.5.16: %p is 415', async (type) => {
    expect(await codeOf({ body: { title: 'x' }, headers: { 'content-type': type } })).toBe(
      '415 unsupported_media_type',
    );
  });

  test('RFC 9110 §8.4: a compressed one is 415', async () => {
    expect(await codeOf({ body: { title: 'x' }, headers: { 'content-encoding': 'gzip' } })).toBe(
      '415 unsupported_media_type',
    );
  });

  test.each(['{', '{"title":"x"', 'undefined', "{'title':1}", '{"title":"x"}}'])(
    'malformed JSON %s is 400',
    async (raw) => {
      expect(await codeOf({ raw })).toBe('400 invalid_request');
    },
  );

  test('RFC 8259 §8.1: what is not UTF-8 is 400', async () => {
    expect(await codeOf({ raw: Buffer.from([0x22, 0xff, 0x22]) })).toBe('400 invalid_request');
  });

  test('a missing one is 400, unless it may be missing', async () => {
    expect(await codeOf({})).toBe('400 invalid_request');
    expect(await codeOf({}, '/api/copies')).toBe('200 ok');
    expect(last!.body).toBeUndefined();
  });

  test('RFC 9110 §15.5.14: more than the limit is 413, declared or streamed', async () => {
    const raw = JSON.stringify({ title: 'x'.repeat(100_000) });
    expect(await codeOf({ raw })).toBe('413 payload_too_large');
    const streamed = { 'transfer-encoding': 'chunked', 'content-length': [] as string[] };
    expect(await codeOf({ raw, headers: streamed })).toBe('413 payload_too_large');
    expect(await codeOf({ raw: JSON.stringify({ title: 'x' }), headers: streamed })).toBe('200 ok');
  });

  test('where none belongs, an empty object is let pass and anything else is 400', async () => {
    const path = '/api/things/a/publish';
    expect(await codeOf({}, path)).toBe('200 ok');
    expect(await codeOf({ body: {} }, path)).toBe('200 ok');
    expect(await codeOf({ body: { a: 1 } }, path)).toBe('400 invalid_request');
    expect(await codeOf({ body: 'text' }, path)).toBe('400 invalid_request');
  });

  test('nested too deeply is 400, not a crash', async () => {
    const deep = 12_000;
    const raw = '{"kids":['.repeat(deep / 2) + ']}'.repeat(deep / 2);
    expect(await codeOf({ raw }, '/api/trees')).toBe('400 invalid_request');
    expect(await codeOf({ body: { kids: [{ kids: [] }] } }, '/api/trees')).toBe('200 ok');
  });

  test('every field at fault is named, without its value', async () => {
    const { status, json, text } = await post({
      body: { prices: [{ amount: 1 }, { amount: -7.5 }], even: 3, secret_note: 'planted' },
    });
    expect([status, json['error']]).toEqual([422, 'validation_failed']);
    const details = json['details'] as unknown as { path: string; code: string }[];
    const found = details.map(({ path, code }) => `${path} ${code}`);
    expect(found).toEqual(
      expect.arrayContaining([
        'title required',
        'prices.1.amount invalid_type',
        'even odd',
        'secret_note unknown_field',
      ]),
    );
    expect(text).not.toContain('planted');
    expect((await post({ body: { title: '' } })).json['details']).toMatchObject([{ path: 'title', code: 'too_small' }]);
    expect((await post({ body: [] })).json['details']).toMatchObject([{ path: '', code: 'invalid_type' }]);
  });

  test('of a client that goes away is no failure of the server', async () => {
    const before = service.lines.length;
    await expect(service.abort('/api/things', '{"title":')).resolves.toBeUndefined();
    while (service.lines.length === before) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(service.lines.at(-1)).toMatchObject({ status: 400 });
    expect(service.errors).toEqual([]);
    expect(await codeOf({ body: { title: 'x' } })).toBe('200 ok');
  });

  test('a __proto__ member pollutes nothing', async () => {
    expect(await codeOf({ raw: '{"title":"x","__proto__":{"admin":true}}' })).toMatch(
      /^(200 ok|422 validation_failed)$/,
    );
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  test('any text is answered with 200, 400 or 422', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.json()), async (raw) => {
        expect(await codeOf({ raw })).toMatch(/^(200 ok|400 invalid_request|422 validation_failed)$/);
      }),
      { numRuns: 60 },
    );
  });
});

describe('a query', () => {
  test.each([
    ['?level=easy&size=3', 200, undefined],
    ['?level=easy&level=easy', 400, 'invalid_request'],
    ['?nope=1', 400, 'invalid_request'],
    ['?__proto__=1', 400, 'invalid_request'],
    ['?level=never', 422, 'validation_failed'],
    ['?size=many', 422, 'validation_failed'],
  ])('%s is %i', async (search, status, error) => {
    const { json, ...answer } = await service.send(`/api/things${search}`);
    expect([answer.status, json['error']]).toEqual([status, error]);
  });

  test.each([
    ['?nope=1', /^This operation has no query parameter nope\. There are: .*level, /],
    [`?${'n'.repeat(5000)}=1`, /^This operation has no query parameter n{60}\.{3}\. There are: /],
    ['?level=easy&level=easy', /^The query parameter level is repeated$/],
    ['?size=many', /^size: /],
  ])('%.40s is refused with the name of the parameter', async (search, told) => {
    expect((await service.send(`/api/things${search}`)).json['error_description']).toMatch(told);
  });

  test('of a tolerant schema ignores what it does not know; without a schema nothing is known', async () => {
    expect((await service.send('/api/loose?level=a&other=b')).status).toBe(200);
    expect(last!.query).toEqual({ level: 'a' });
    expect((await post({ body: { title: 'x' } }, '/api/things?x=1')).status).toBe(400);
  });
});

describe('If-Match', () => {
  const put = async (ifMatch?: string | string[]) => {
    const sent = { method: 'PUT', body: { title: 'x' }, headers: ifMatch === undefined ? {} : { 'if-match': ifMatch } };
    const { status, json } = await service.send('/api/things/a', sent);
    return status === 200 ? last!.expected : `${status} ${json['error']}`;
  };

  test('RFC 9110 §13.1.1: the strong tags are the versions that are accepted, `*` is any', async () => {
    expect(await put('"3"')).toEqual([3]);
    expect(await put('*')).toBeUndefined();
    expect(await put('"foreign", "7"')).toEqual([7]);
    expect(await put('"3", "4",W/"5"')).toEqual([3, 4]);
  });

  test('RFC 6585 §3: it is 428 where it is required and missing', async () => {
    expect(await put()).toBe('428 precondition_required');
    expect(await codeOf({}, '/api/things/a/publish')).toBe('200 ok');
  });

  test('RFC 9110 §8.8.3.2: a weak or foreign tag never matches', async () => {
    for (const tag of ['W/"3"', '"abc"', '"03"', '"-1"', '""', '"3x"'])
      expect(await put(tag)).toBe('412 precondition_failed');
  });

  test('what is not a list of tags is 400', async () => {
    for (const tag of ['3', '"3', 'w/"3"', '"3" "4"', '3"']) expect(await put(tag)).toBe('400 invalid_request');
  });
});

describe('what a handler gets', () => {
  test('time, actor, client, correlation and trace context', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    await service.send('/api/things', {
      as: { subject: 'acc_5', client: 'client_5' },
      headers: { 'x-request-id': 'r5', traceparent },
    });
    expect(last).toMatchObject({
      school: 'school_1',
      at: '2026-01-05T08:00:00.000Z',
      requestId: 'r5',
      page: { limit: 20 },
    });
    expect(last!.meta).toEqual({ actor: 'acc_5', client: 'client_5', correlation: 'r5', traceparent });
    await service.send('/api/things', { headers: { traceparent: 'nonsense' } });
    expect(last!.meta).toEqual({ actor: 'anonymous', correlation: last!.requestId });
  });

  test('RFC 7240 §4.3: what the caller has seen and how long it waits, at most 10 s', async () => {
    const read = async (headers: Record<string, string>) => {
      const { status } = await service.send('/api/things', { headers });
      return status === 200 ? last!.seen : status;
    };
    expect(await read({ 'consistency-token': '2.41', prefer: 'respond-async, wait=5' })).toEqual({
      lane: 2,
      position: 41,
      wait: 5000,
      isStrict: false,
    });
    expect(await read({ 'consistency-token': '2.41' })).toEqual({ lane: 2, position: 41, wait: 0, isStrict: false });
    expect(await read({ 'consistency-token': '2.41', prefer: 'wait=9999' })).toMatchObject({ wait: 10_000 });
    expect(await read({ prefer: 'wait=5' })).toBeUndefined();
    expect(await read({ 'consistency-token': 'x' })).toBe(400);
  });
});
