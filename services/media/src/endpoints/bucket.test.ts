import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type BackingServer, type SharedServer, describeEngines } from '@lyceum/testkit';
import { type Engines, enginesOf } from '@lyceum/testkit-service';
import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { S3Settings } from '../bytes/s3-store.ts';
import { S3Store } from '../bytes/s3-store.ts';
import { media as service } from '../module.ts';
import { type MediaUnderTest, bucketAt, png, startMedia } from '../testing.ts';

const path = '/api/storage/uploads';
const text = { purpose: 'lesson_file', filename: 'words.txt', content_type: 'text/plain' };

/** Sends bytes past the service, as the announcement says. */
const send = ({ upload }: { upload: { url: string; headers: Record<string, string> } }, body: Buffer) =>
  fetch(upload.url, { method: 'PUT', headers: upload.headers, body });

await describeEngines('s3', (engine) => {
  let server: SharedServer;
  let bucket: S3Settings;
  let media: MediaUnderTest;
  let engines: Engines;
  beforeAll(async () => {
    server = await engine.shared();
    bucket = await bucketAt(server.url);
    media = await startMedia({ bucket, engines: (engines = enginesOf(service)) });
  }, 120_000);
  afterAll(() => media.close());

  const complete = (id: string) => media.call('POST', `${path}/${id}/complete`);
  const place = (id: string) => ({ school: 'school_1', id });

  test('bytes go to the store at once, and are read here, whole and in ranges, with the headers of every file', async () => {
    const body = Buffer.from('the same words again and again');
    const { body: made } = await media.announce(body, text);
    expect(new URL(made.upload.url).origin).toBe(bucket.endpoint);
    expect(made.upload.in_parts).toBe(false);
    expect((await complete(made.id)).body.error).toBe('size_mismatch');
    expect((await send(made, body)).status).toBe(200);
    expect((await media.call('GET', `${path}/${made.id}`)).body.received).toBe(body.length);
    const { body: ready } = await complete(made.id);
    expect(ready).toMatchObject({ state: 'ready', content_type: 'text/plain', upload: null });
    const whole = await media.bytes(ready.url);
    expect(await whole.text()).toBe(body.toString());
    expect(whole.headers.get('content-disposition')).toMatch(/^attachment/);
    expect(whole.headers.get('content-security-policy')).toMatch(/sandbox/);
    const part = await media.bytes(ready.url, { headers: { range: 'bytes=4-7' } });
    expect([part.status, await part.text()]).toEqual([206, 'same']);
    expect((await media.bytes(ready.url, { school: 'school_2' })).status).toBe(404);
  });

  test('a page under the name of an image is rejected, and its bytes go', async () => {
    const page = Buffer.from('<script>alert(1)</script>');
    const { body: made } = await media.announce(page);
    await send(made, page);
    expect((await complete(made.id)).body).toMatchObject({ state: 'rejected' });
    const store = new S3Store(bucket);
    for (let left = 200; left > 0 && (await store.received(place(made.id))) > 0; left -= 1) await delay(20);
    expect(await store.received(place(made.id))).toBe(0);
  });

  test('an address that is used again after the file is ready changes nothing, and is removed as bytes that nobody awaits', async () => {
    const { body: made } = await media.announce(png);
    await send(made, png);
    const { body: ready } = await complete(made.id);
    await send(made, png);
    const store = new S3Store(bucket);
    const strays = async () => {
      const found: string[] = [];
      for await (const { id } of store.unfinished()) found.push(id);
      return found.includes(made.id);
    };
    expect(await strays()).toBe(true);
    const cleaning = await startMedia({ bucket, engines });
    for (let left = 300; left > 0 && (await strays()); left -= 1) await delay(20);
    await cleaning.close();
    expect(await strays()).toBe(false);
    expect(Buffer.from(await (await media.bytes(ready.url)).arrayBuffer()).equals(png)).toBe(true);
    expect((await media.call('DELETE', `${path}/${made.id}`)).status).toBe(204);
    for (let left = 200; left > 0 && (await store.received(place(made.id))) > 0; left -= 1) await delay(20);
    await send(made, png);
    expect(await store.received(place(made.id))).toBe(png.length);
    const next = await startMedia({ bucket, engines });
    for (let left = 300; left > 0 && (await store.received(place(made.id))) > 0; left -= 1) await delay(20);
    expect(await store.received(place(made.id))).toBe(0);
    await next.close();
  });

  test('what was sent before this service was started anew is completed after it', async () => {
    const { body: made } = await media.announce(png);
    await send(made, png);
    const next = await startMedia({ bucket, engines });
    expect((await next.call('POST', `${path}/${made.id}/complete`)).body.state).toBe('ready');
    await next.close();
  });
});

await describeEngines(
  's3',
  (engine) => {
    let server: BackingServer;
    beforeAll(async () => void (server = await engine.start()), 120_000);
    afterAll(() => server.stop());

    test('the store is killed while bytes arrive: nothing is whole, and they are sent again when it is back', async () => {
      const bucket = await bucketAt(server.url);
      const media = await startMedia({ bucket });
      const body = Buffer.alloc(4 * 1024 * 1024, 'the same words again and again\n');
      const { body: made } = await media.announce(body, text);
      const slow = request(made.upload.url, {
        method: 'PUT',
        headers: { ...made.upload.headers, 'content-length': body.length },
      });
      const broken = new Promise((resolve) => slow.once('error', resolve).once('response', resolve));
      slow.write(body.subarray(0, 1024 * 1024));
      await delay(50);
      await server.kill();
      await broken;
      slow.destroy();
      const away = await media.call('POST', `${path}/${made.id}/complete`);
      expect([away.status, away.body.error]).toEqual([503, 'temporarily_unavailable']);
      await server.restart();
      expect((await media.call('POST', `${path}/${made.id}/complete`)).body.error).toBe('size_mismatch');
      const { body: again } = await media.call('GET', `${path}/${made.id}`);
      expect((await send(again, body)).status).toBe(200);
      const { body: ready } = await media.call('POST', `${path}/${made.id}/complete`);
      expect(ready.state).toBe('ready');
      expect(Buffer.from(await (await media.bytes(ready.url)).arrayBuffer()).equals(body)).toBe(true);
      await media.close();
    }, 60_000);
  },
  ({ origin }) => origin !== 'given',
);
