import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Listener, listen, until } from '@lyceum/testkit';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type MediaUnderTest, png, startMedia } from '../testing.ts';

/** A scanner that finds one word, and does what a test wants otherwise. */
let scanner: Listener;
let answer: { status: number; text: string } | undefined;
const asked: { method: string | undefined; type: string | undefined; body: Buffer }[] = [];
let media: MediaUnderTest;

beforeAll(async () => {
  scanner = await listen(async (request, response) => {
    const body = await buffer(request);
    asked.push({ method: request.method, type: request.headers['content-type'], body });
    const clean = !body.includes('EICAR');
    const verdict = JSON.stringify(clean ? { clean } : { clean, reason: 'Eicar-Test-Signature' });
    response.writeHead(answer?.status ?? 200, { location: 'http://127.0.0.1:1/' }).end(answer?.text ?? verdict);
  });
  media = await startMedia({ scanner: `http://127.0.0.1:${scanner.port}/scan` });
});
afterAll(async () => {
  await media.close();
  await scanner.close();
});
beforeEach(() => {
  answer = undefined;
  asked.length = 0;
});

const path = '/api/storage/uploads';
const text = { purpose: 'lesson_file', filename: 'words.txt', content_type: 'text/plain' };
const read = async (id: string) => (await media.call('GET', `${path}/${id}`)).body;

async function judged(id: string, state: string) {
  await until(async () => (await read(id)).state !== 'scanning', 'a verdict');
  expect((await read(id)).state).toBe(state);
}

describe('a file where files are scanned', () => {
  test('is ready after the scanner has had its bytes and called it clean', async () => {
    const { id, state, url, received } = await media.upload(png);
    expect([['scanning', 'ready'].includes(state), state === 'ready' || url === null, received]).toEqual([
      true,
      true,
      png.length,
    ]);
    await judged(id, 'ready');
    expect(asked).toEqual([{ method: 'POST', type: 'image/png', body: png }]);
    expect((await media.bytes((await read(id)).url)).status).toBe(200);
  });

  test('is rejected with the reason when it is not, its bytes are removed and its part of the quota is free', async () => {
    const { id } = await media.upload(Buffer.from('EICAR and more'), text);
    await judged(id, 'rejected');
    expect((await read(id)).reason).toBe('The scanner refuses it: Eicar-Test-Signature');
    const folder = join(media.directory, 'files', 'school_1', 'files');
    await until(async () => !(await readdir(folder)).includes(id), 'the end of its bytes');
    expect((await media.call('POST', `${path}/${id}/complete`)).body.state).toBe('rejected');
  });

  test.each([
    ['an error', { status: 500, text: '{"clean":true}' }],
    ['an answer that is none', { status: 200, text: '{"clean":"yes"}' }],
    ['no JSON', { status: 200, text: 'OK' }],
    ['an address elsewhere', { status: 302, text: '' }],
  ])('waits while the scanner gives %s: nobody reads it or completes it, and it may be deleted', async (_, given) => {
    answer = given;
    const { id, state } = await media.upload(png);
    expect(state).toBe('scanning');
    await until(() => asked.length > 0);
    expect((await read(id)).state).toBe('scanning');
    expect((await media.bytes(`/media/public/${id}`)).status).toBe(404);
    expect((await media.call('POST', `${path}/${id}/complete`)).body.state).toBe('scanning');
    expect(await media.started.answer?.({ kind: 'files', school: 'school_1', ids: [id] })).toMatchObject({
      files: { [id]: { state: 'announced' } },
    });
    expect((await media.call('DELETE', `${path}/${id}`)).status).toBe(204);
  });

  test('is asked about again when the scanner is back', async () => {
    answer = { status: 503, text: '' };
    const { id } = await media.upload(png);
    await until(() => asked.length > 0);
    answer = undefined;
    media.clock.advance(60_000);
    await judged(id, 'ready');
    expect(asked.length).toBeGreaterThan(1);
  });
});
