import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '@lyceum/testkit';
import { type Engines, enginesOf } from '@lyceum/testkit-service';
import { media as service } from '../module.ts';
import { type MediaUnderTest, png, startMedia } from '../testing.ts';
import { endUploads } from './file.cleaning.ts';

let media: MediaUnderTest;
let engines: Engines;
beforeAll(async () => void (media = await startMedia({ engines: (engines = enginesOf(service)) })));
afterAll(() => media.close());
beforeEach(() => media.held.clear());

const path = '/api/storage/uploads';
const day = 86_400_000;

const state = async (id: string) => (await media.call('GET', `${path}/${id}`)).body?.state;
const remove = async (id: string) => {
  const { status, body } = await media.call('DELETE', `${path}/${id}`);
  return body?.error ?? status;
};

/** Another service says that a thing names a file, or does so no longer; resolves once it is noted. */
async function tell(
  type: 'FileReferenced' | 'FileReleased',
  file_id: string,
  source = 'catalog',
  holder_id = 'course_1',
) {
  const before = (await media.call('GET', `${path}/${file_id}`)).body?.version;
  await media.publish(source, { type, data: { file_id, holder_id } });
  for (let left = 200; left > 0; left -= 1, await delay(5))
    if ((await media.call('GET', `${path}/${file_id}`)).body?.version !== before) return;
}

async function rounds(after: number): Promise<void> {
  media.clock.advance(after);
  await media.settled();
  await endUploads(media.ports);
}

describe('a file that something names', () => {
  test.each(['catalog', 'school'])(
    'by the news of the service %s cannot be deleted until it is released',
    async (source) => {
      const { id, deleted_at } = await media.upload(png);
      expect(Date.parse(deleted_at)).toBe(media.clock.now() + 7 * day);
      await tell('FileReferenced', id, source);
      expect((await media.call('GET', `${path}/${id}`)).body).toMatchObject({ in_use: true, deleted_at: null });
      expect(await remove(id)).toBe('in_use');
      await tell('FileReleased', id, source);
      expect((await media.call('GET', `${path}/${id}`)).body.in_use).toBe(false);
      expect(await remove(id)).toBe(204);
    },
  );

  test('stays until the last thing has released it; news that come twice or of files that are gone change nothing', async () => {
    const { id } = await media.upload(png);
    await tell('FileReferenced', id, 'catalog', 'course_1');
    await tell('FileReferenced', id, 'catalog', 'lesson_1');
    await tell('FileReleased', id, 'catalog', 'course_1');
    expect(await remove(id)).toBe('in_use');
    const { version } = (await media.call('GET', `${path}/${id}`)).body;
    await media.publish('catalog', { type: 'FileReferenced', data: { file_id: id, holder_id: 'lesson_1' } });
    await media.publish('catalog', { type: 'FileReferenced', data: { file_id: 'upload_none', holder_id: 'lesson_1' } });
    await tell('FileReleased', id, 'catalog', 'lesson_1');
    expect((await media.call('GET', `${path}/${id}`)).body.version).toBe(version + 1);
    expect(await remove(id)).toBe(204);
  });

  test('is not deleted though the news has not arrived: the services are asked, and when they are away it is 503', async () => {
    const { id } = await media.upload(png);
    media.held.add(id);
    expect(await remove(id)).toBe('in_use');
    await rounds(8 * day);
    expect(await state(id)).toBe('ready');
    media.held.clear();
    media.held.add('away');
    expect(await remove(id)).toBe('temporarily_unavailable');
    await rounds(day);
    expect(await state(id)).toBe('ready');
    media.held.clear();
    await rounds(0);
    expect(await state(id)).toBeUndefined();
  });
});

describe('a file that nothing names', () => {
  test('is deleted 7 days after it was ready, with its bytes, and its part of the quota is free', async () => {
    const engine = await startMedia({ quota: 1 });
    const { id, url } = await engine.upload(png);
    const round = async (after: number) => {
      engine.clock.advance(after);
      await engine.settled();
      await endUploads(engine.ports);
    };
    await round(7 * day - 1);
    expect((await engine.bytes(url)).status).toBe(200);
    await round(1);
    expect((await engine.call('GET', `${path}/${id}`)).status).toBe(404);
    expect((await engine.bytes(url)).status).toBe(404);
    const whole = { purpose: 'lesson_video', content_type: 'video/mp4', size: 1024 ** 3 };
    expect((await engine.announce(png, whole)).status).toBe(201);
    await engine.close();
  });

  test('is deleted 7 days after it was released, however old it is', async () => {
    const { id } = await media.upload(png);
    await tell('FileReferenced', id);
    await rounds(100 * day);
    expect(await state(id)).toBe('ready');
    await tell('FileReleased', id);
    await rounds(6 * day);
    expect(await state(id)).toBe('ready');
    await rounds(day);
    expect(await state(id)).toBeUndefined();
  });

  test('stays when it is of a release that knew of nothing that names files', async () => {
    const { id } = await media.upload(png);
    const old = 'upload_of-before';
    const data = {
      purpose: 'cover',
      filename: 'a.png',
      content_type: 'image/png',
      size: 1,
      sha256: 'a',
      access: 'public',
    };
    const times = { expires_at: '2026-01-01T00:00:00.000Z', created_by: 'acc_1' };
    await engines.write('school_1', [
      { stream: old, type: 'UploadRequested', data: { ...data, ...times } },
      { stream: old, type: 'FileReady', data: { key: old, type: 'image/png', size: 1, sha256: 'a' } },
    ]);
    await rounds(30 * day);
    expect([await state(id), await state(old)]).toEqual([undefined, 'ready']);
    expect(await remove(old)).toBe(204);
  });
});

test('other services learn of files what they need, and not their names', async () => {
  const seen: { type: string; data: unknown }[] = [];
  const reading = media.channel.subscribe({
    consumer: 'test',
    source: 'media',
    from: async () => 0,
    handle: async ({ facts }) => void seen.push(...facts.map(({ type, data }) => ({ type, data }))),
  });
  const { id } = await media.upload(png, { filename: 'Ada Byron.png' });
  const rejected = await media.upload(Buffer.from('<html>'), { filename: 'page.png' });
  await media.call('DELETE', `${path}/${id}`);
  const isGone = () =>
    seen.some(({ type, data }) => type === 'FileDeleted' && (data as { file_id: string }).file_id === id);
  await until(isGone, 'the end of the file');
  const about = (file: string) => seen.filter(({ data }) => (data as { file_id: string }).file_id === file);
  expect(about(id)).toEqual([
    { type: 'FileAnnounced', data: expect.objectContaining({ purpose: 'cover', access: 'public', size: png.length }) },
    { type: 'FileReady', data: expect.objectContaining({ content_type: 'image/png', size: png.length }) },
    { type: 'FileDeleted', data: { file_id: id } },
  ]);
  expect(about(rejected.id).map(({ type }) => type)).toEqual(['FileAnnounced', 'FileRejected']);
  expect(JSON.stringify(seen)).not.toMatch(/Ada|page\.png/);
  await reading.close();
});

test('services that show files ask what they are now: of their school only, and not of those that are gone', async () => {
  const { id } = await media.upload(png);
  const { body: coming } = await media.announce(png);
  const gone = await media.upload(png);
  await media.call('DELETE', `${path}/${gone.id}`);
  const ask = (school: string) =>
    media.started.answer?.({ kind: 'files', school, ids: [id, coming.id, gone.id, 'upload_none'] });
  const file = { purpose: 'cover', access: 'public', content_type: 'image/png', size: png.length };
  expect(await ask('school_1')).toEqual({
    files: {
      [id]: expect.objectContaining({ ...file, state: 'ready' }),
      [coming.id]: expect.objectContaining({ ...file, state: 'announced' }),
    },
  });
  expect(await ask('school_2')).toEqual({ files: {} });
});
