import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { Client, type Place, call, describeTopologies, loopbackFetch } from '@lyceum/testkit';

/** A file of a school on its way through the real gateway and back. */
await describeTopologies('files', ({ open }) => {
  let system: Place;
  let close: () => Promise<unknown>;
  let token: string;
  beforeAll(async () => {
    ({ system, close } = await open());
    const client = await Client.register(system.baseUrl);
    token = (await client.tokens('owner@lantern.test', system.password, 'storage:write')).access_token;
  }, 180_000);
  afterAll(() => close());

  test('more than any other body may have goes in two parts to the disk, and comes back whole and in ranges', async () => {
    const body = Buffer.alloc(3 * 1024 * 1024, 'the same words again and again\n');
    const sha256 = createHash('sha256').update(body).digest('hex');
    const size = body.length;
    const json = { purpose: 'lesson_file', filename: 'words.txt', content_type: 'text/plain', size, sha256 };
    const uploads = `${system.baseUrl}/api/storage/uploads`;
    const made = await call(uploads, { token, json });
    expect(made.status).toBe(201);
    const { id, upload } = made.body;
    const half = size / 2;
    for (const first of [0, half]) {
      const put = await loopbackFetch(upload.url, {
        method: 'PUT',
        body: body.subarray(first, first + half),
        headers: { 'content-range': `bytes ${first}-${first + half - 1}/${size}` },
      });
      expect([put.status, put.headers.get('upload-offset')]).toEqual([204, String(first + half)]);
    }
    const done = await call(`${uploads}/${id}/complete`, { method: 'POST', token });
    expect(done.body).toMatchObject({ state: 'ready', content_type: 'text/plain' });
    const read = await loopbackFetch(done.body.url, { headers: { 'accept-encoding': 'gzip, br' } });
    expect([read.status, read.headers.get('content-encoding')]).toEqual([200, null]);
    expect(Buffer.from(await read.arrayBuffer()).equals(body)).toBe(true);
    const part = await loopbackFetch(done.body.url, { headers: { range: 'bytes=4-7' } });
    expect([part.status, await part.text()]).toEqual([206, 'same']);
    const elsewhere = done.body.url.replace(system.baseUrl, system.northQuayUrl);
    expect((await loopbackFetch(elsewhere)).status).toBe(404);
    expect((await call(`${uploads}/${id}`, { method: 'DELETE', token })).status).toBe(204);
    expect((await loopbackFetch(done.body.url)).status).toBe(404);
  });
});
