import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { trustState } from '@lyceum/oauth';
import { type Engines, enginesOf } from '@lyceum/testkit-service';
import { media as service } from '../module.ts';
import { type MediaUnderTest, png, startMedia } from '../testing.ts';

let media: MediaUnderTest;
let engines: Engines;
beforeAll(async () => void (media = await startMedia({ engines: (engines = enginesOf(service)) })));
afterAll(() => media.close());

const path = '/api/storage/uploads';
const text = { purpose: 'lesson_file', filename: '../../etc/passwd', content_type: 'text/plain' };

async function announced(body: Uint8Array, more: object = {}): Promise<{ id: string; url: string }> {
  const { id, upload } = (await media.announce(body, more)).body;
  return { id, url: upload.url };
}

const put = (url: string, body: Uint8Array | string, headers: Record<string, string> = {}) =>
  media.bytes(url, { method: 'PUT', body, headers });

const errorOf = async (response: Response): Promise<unknown> => [
  response.status,
  ((await response.json()) as { error: string }).error,
];

describe('sending bytes', () => {
  test('in parts, each behind those before, and HEAD tells how many are there', async () => {
    const { id, url } = await announced(png);
    expect((await put(url, png.subarray(0, 10), { 'content-range': `bytes 0-9/${png.length}` })).status).toBe(204);
    const head = await media.bytes(url, { method: 'HEAD' });
    expect([head.status, head.headers.get('upload-offset')]).toEqual([204, '10']);
    const gap = await put(url, png.subarray(20), { 'content-range': `bytes 20-${png.length - 1}/${png.length}` });
    expect(gap.headers.get('upload-offset')).toBe('10');
    expect(await errorOf(gap)).toEqual([409, 'offset_mismatch']);
    const rest = await put(url, png.subarray(10), { 'content-range': `bytes 10-${png.length - 1}/${png.length}` });
    expect([rest.status, rest.headers.get('upload-offset')]).toEqual([204, String(png.length)]);
    expect((await media.call('POST', `${path}/${id}/complete`)).body.state).toBe('ready');
  });

  test('more than was announced is 413, and a Content-Range that says nothing is 400', async () => {
    const { url } = await announced(png);
    expect(await errorOf(await put(url, Buffer.concat([png, png])))).toEqual([413, 'payload_too_large']);
    const chunked = new ReadableStream({
      start(controller) {
        controller.enqueue(Buffer.concat([png, png]));
        controller.close();
      },
    });
    const streamed = await media.bytes(url, { method: 'PUT', body: chunked, duplex: 'half' } as RequestInit);
    expect(await errorOf(streamed)).toEqual([413, 'payload_too_large']);
    for (const range of ['bytes 0-9/11', 'bytes 9-0/67', 'bytes 0-9', `bytes 0-${png.length}/${png.length}`, 'x'])
      expect(await errorOf(await put(url, png.subarray(0, 10), { 'content-range': range }))).toEqual([
        400,
        'invalid_request',
      ]);
  });

  test('an address that is altered, of another school or made for reading is 404; one that expired is 410', async () => {
    const { id, url } = await announced(png);
    const hostile = [
      `${url}x`,
      url.replace(/.$/, (last) => (last === 'A' ? 'E' : 'A')),
      `/media/uploads/${id}`,
      '/media/uploads/..%2f..%2fx',
    ];
    for (const address of hostile) expect((await put(address, png)).status).toBe(404);
    expect((await media.bytes(url, { method: 'PUT', body: png, school: 'school_2' })).status).toBe(404);
    expect((await media.bytes(url.replace('/uploads/', '/files/'))).status).toBe(404);
    media.clock.advance(15 * 60_000);
    expect(await errorOf(await put(url, png))).toEqual([410, 'gone']);
    const { upload } = (await media.call('GET', `${path}/${id}`)).body;
    expect((await put(upload.url, png)).status).toBe(204);
  });

  test('an address that is used again after the file is ready changes nothing', async () => {
    const { id, url } = await announced(png);
    await put(url, png);
    const ready = (await media.call('POST', `${path}/${id}/complete`)).body;
    expect(await errorOf(await put(url, Buffer.alloc(png.length)))).toEqual([409, 'invalid_state']);
    expect(Buffer.from(await (await media.bytes(ready.url)).arrayBuffer())).toEqual(png);
  });

  test('a sender that stands still gives way to the next one, and what it sent stays', async () => {
    const { id, url } = await announced(png);
    const target = new URL((await media.bytes(url, { method: 'HEAD' })).url);
    const slow = request(target, {
      method: 'PUT',
      headers: { 'x-school-id': 'school_1', 'content-length': png.length },
    });
    const cut = new Promise((resolve) => slow.once('error', resolve).once('response', resolve));
    slow.write(png.subarray(0, 5));
    for (let here = '0'; here !== '5'; await delay(5))
      here = (await media.bytes(url, { method: 'HEAD' })).headers.get('upload-offset')!;
    const rest = await put(url, png.subarray(5), { 'content-range': `bytes 5-${png.length - 1}/${png.length}` });
    expect([rest.status, rest.headers.get('upload-offset')]).toEqual([204, String(png.length)]);
    await cut;
    expect((await media.call('POST', `${path}/${id}/complete`)).body.state).toBe('ready');
  });

  test('of many at the same time, one is whole at the end', async () => {
    const body = Buffer.alloc(300_000, 'text ');
    const { id, url } = await announced(body, text);
    const sent = await Promise.allSettled(Array.from({ length: 6 }, () => put(url, body)));
    expect(sent.some((each) => each.status === 'fulfilled' && each.value.status === 204)).toBe(true);
    expect((await media.call('POST', `${path}/${id}/complete`)).body.state).toBe('ready');
  });

  test('after a restart what had arrived is there, and bytes that nobody awaits are removed', async () => {
    const [going, gone] = [await announced(png), await announced(png)];
    for (const { url } of [going, gone])
      await put(url, png.subarray(0, 10), { 'content-range': `bytes 0-9/${png.length}` });
    await engines.write('school_1', [{ stream: gone.id, type: 'UploadCancelled', data: {} }]);
    const incoming = join(media.directory, 'files', 'school_1', 'incoming');
    const next = await startMedia({ directory: media.directory, engines });
    expect((await next.call('GET', `${path}/${going.id}`)).body.received).toBe(10);
    for (let left = 200; left > 0 && (await readdir(incoming)).includes(gone.id); left -= 1) await delay(10);
    expect(await readdir(incoming)).toEqual(expect.arrayContaining([going.id]));
    expect(await readdir(incoming)).not.toContain(gone.id);
    await next.close();
  });
});

describe('reading a file', () => {
  const body = Buffer.from('<script>alert(1)</script> and more');
  let ready: { id: string; url: string };
  beforeAll(async () => void (ready = await media.upload(body, text)));
  const get = (headers: Record<string, string> = {}, method = 'GET') => media.bytes(ready.url, { method, headers });

  test('RFC 9110 §14.2: a range is 206, one outside of the file 416, several are the whole file', async () => {
    const part = await get({ range: 'bytes=0-7' });
    expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([
      206,
      `bytes 0-7/${body.length}`,
      '<script>',
    ]);
    const outside = await get({ range: 'bytes=1000-' });
    expect(outside.headers.get('content-range')).toBe(`bytes */${body.length}`);
    expect(await errorOf(outside)).toEqual([416, 'range_not_satisfiable']);
    expect((await get({ range: 'bytes=0-1,4-5' })).status).toBe(200);
  });

  test('RFC 9110 §13.2.2: a strong ETag answers If-None-Match, If-Match and If-Range', async () => {
    const whole = await get();
    const tag = whole.headers.get('etag')!;
    expect(tag).toMatch(/^"[0-9a-f]{64}"$/);
    expect((await get({ 'if-none-match': tag })).status).toBe(304);
    expect((await get({ 'if-none-match': '"other"' })).status).toBe(200);
    expect((await get({ 'if-match': '"other"' })).status).toBe(412);
    expect((await get({ 'if-range': tag, range: 'bytes=0-1' })).status).toBe(206);
    expect((await get({ 'if-range': '"other"', range: 'bytes=0-1' })).status).toBe(200);
    expect((await get({ 'if-range': `W/${tag}`, range: 'bytes=0-1' })).status).toBe(200);
    const head = await get({}, 'HEAD');
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
      200,
      String(body.length),
      '',
    ]);
  });

  test('nothing in it can run, whatever it is: saved, sandboxed and of the type that it has', async () => {
    const { headers } = await get();
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(headers.get('content-disposition')).toBe('attachment; filename="passwd"');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox/);
    expect(headers.get('cache-control')).toMatch(/^private, max-age=\d+, no-transform$/);
  });

  test('a private file is not public, and its address ends', async () => {
    expect((await media.bytes(`/media/public/${ready.id}`)).status).toBe(404);
    expect((await media.bytes(ready.url, { school: 'school_2' })).status).toBe(404);
    expect((await media.bytes(ready.url.replace('/files/', '/uploads/'), { method: 'PUT', body })).status).toBe(404);
    media.clock.advance(3_600_000);
    expect((await get()).status).toBe(410);
    media.clock.advance(-3_600_000);
  });

  test('a public file has a stable address, and is shown where it is an image', async () => {
    const cover = await media.upload(png, { filename: 'Zoë 등 "cover".png' });
    expect(new URL(cover.url).pathname).toBe(`/media/public/${cover.id}`);
    const { headers } = await media.bytes(cover.url);
    expect(headers.get('content-disposition')).toMatch(
      /^inline; filename=".*"; filename\*=UTF-8''Zo%C3%AB%20%EB%93%B1/,
    );
    expect(headers.get('cache-control')).toBe('public, max-age=86400, no-transform');
    for (const hostile of ['upload_x', '..', '%2e%2e%2fx', 'upload_%00', 'upload_..%2f..%2fx'])
      expect((await media.bytes(`/media/public/${hostile}`)).status).toBe(404);
  });

  test('other methods are 405, and scripts of any origin may ask', async () => {
    const wrong = await media.bytes(ready.url, { method: 'POST' });
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, expect.stringContaining('GET')]);
    const preflight = await media.bytes(ready.url, { method: 'OPTIONS' });
    expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([204, 'GET, HEAD, PUT']);
  });
});

test('a school that is not open shows visitors no file and takes none; signed addresses end by themselves', async () => {
  const own = enginesOf(service);
  const trust = trustState(own.clock);
  const closing = await startMedia({ engines: own, trust });
  try {
    const cover = await closing.upload(png);
    const handout = Buffer.from('what is handed out');
    const kept = await closing.upload(handout, { ...text, filename: 'a.txt' });
    const { upload } = (await closing.announce(png)).body;
    const tell = (type: string) =>
      trust.apply({ source: 'school', tenant: 'school_1', at: '2026-01-05T08:00:00.000Z', fact: { type, data: {} } });
    const read = async (url: string) => (await closing.bytes(url)).status;
    for (const [type, status] of [
      ['SchoolSuspended', 503],
      ['SchoolClosed', 410],
    ] as const) {
      tell(type);
      expect(await read(cover.url)).toBe(status);
      expect((await closing.bytes(upload.url, { method: 'PUT', body: png })).status).toBe(status);
      expect(await read(kept.url)).toBe(200);
    }
  } finally {
    await closing.close();
  }
});
