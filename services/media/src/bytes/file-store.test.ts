import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Engine, describeEngines } from '@lyceum/testkit';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { bucketAt, sha256 } from '../testing.ts';
import type { FilePlace, FileStore } from './file-store.ts';
import { LocalStore } from './local-store.ts';
import { S3Store } from './s3-store.ts';

/** A store under test, and how bytes get into it. */
interface StoreUnderTest {
  readonly store: FileStore;
  send(place: FilePlace, bytes: Buffer): Promise<void>;
  close(): Promise<void>;
}

/** What holds of every store. */
function contract(open: () => Promise<StoreUnderTest>): void {
  let under: StoreUnderTest;
  beforeAll(async () => void (under = await open()), 120_000);
  afterAll(() => under.close());

  let next = 0;
  const place = (school = 'school_1'): FilePlace => ({ school, id: `upload_${(next += 1)}` });
  const bytes = randomBytes(300_000);
  const read = async (at: FilePlace, part?: { first: number; last: number }) => {
    const found = await under.store.read(at, part);
    return found && (await buffer(found));
  };

  test('a file is whole once all of its bytes are there, and is read whole and in parts', async () => {
    const at = place();
    expect([await under.store.received(at), await under.store.settle(at, bytes.length)]).toEqual([0, false]);
    expect([await read(at), await under.store.digest(at)]).toEqual([undefined, undefined]);
    await under.send(at, bytes);
    expect(await under.store.received(at)).toBe(bytes.length);
    expect(await under.store.settle(at, bytes.length)).toBe(true);
    expect((await read(at))?.equals(bytes)).toBe(true);
    expect((await read(at, { first: 10, last: 19 }))?.equals(bytes.subarray(10, 20))).toBe(true);
    expect(await under.store.digest(at)).toBe(sha256(bytes));
    expect(await under.store.settle(at, bytes.length)).toBe(true);
    expect(await under.store.received(at)).toBe(bytes.length);
  });

  test('files of schools are apart, and one that is removed is gone; removing again is no fault', async () => {
    const at = place();
    await under.send(at, bytes);
    await under.store.settle(at, bytes.length);
    expect(await read({ ...at, school: 'school_2' })).toBeUndefined();
    await under.store.remove(at);
    await under.store.remove(at);
    expect([await read(at), await under.store.received(at)]).toEqual([undefined, 0]);
  });

  test('what arrives again for a whole file is removed by itself', async () => {
    const at = place();
    await under.send(at, bytes);
    await under.store.settle(at, bytes.length);
    await under.store.removeUnfinished(at);
    expect((await read(at))?.equals(bytes)).toBe(true);
  });

  test('no name leads out of a school', async () => {
    for (const id of ['..', 'a/b', '', 'x'.repeat(101)])
      await expect(under.store.received({ school: 'school_1', id })).rejects.toThrow(RangeError);
    await expect(under.store.received({ school: '../x', id: 'upload_1' })).rejects.toThrow(RangeError);
  });
}

describe('files in a directory', () => {
  contract(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'files-'));
    const store = new LocalStore(folder);
    return {
      store,
      send: async (at, bytes) => void (await store.append(at, 0, bytes.length, oneChunk(bytes))),
      close: () => rm(folder, { recursive: true }),
    };
  });
});

async function* oneChunk(bytes: Buffer): AsyncIterable<Uint8Array> {
  yield bytes;
}

/** Sends bytes as the store's answer says. */
async function put(store: FileStore, at: FilePlace, announced: Buffer, sent = announced, more: object = {}) {
  const target = await store.target(at, { size: announced.length, sha256: sha256(announced) }, 60);
  return fetch(target!.url, { method: 'PUT', body: sent, headers: { ...target!.headers, ...more } });
}

await describeEngines('s3', (engine: Engine) => {
  const bucket = async () => new S3Store(await bucketAt((await engine.shared()).url));

  contract(async () => {
    const store = await bucket();
    const send = async (at: FilePlace, bytes: Buffer) => expect((await put(store, at, bytes)).status).toBe(200);
    return { store, send, close: async () => undefined };
  });

  test('a signed request lets nothing in but the announced bytes, at the announced place, for a while', async () => {
    const store = await bucket();
    const at = { school: 'school_1', id: 'upload_signed' };
    const announced = randomBytes(1_000);
    const refused = async (response: Promise<Response>) => expect((await response).ok).toBe(false);
    await refused(put(store, at, announced, randomBytes(1_000)));
    await refused(put(store, at, announced, Buffer.concat([announced, announced])));
    const other = randomBytes(1_000);
    const checksum = Buffer.from(sha256(other), 'hex').toString('base64');
    await refused(put(store, at, announced, other, { 'x-amz-checksum-sha256': checksum }));
    const { url, headers } = (await store.target(at, { size: 1_000, sha256: sha256(announced) }, 60))!;
    const elsewhere = url.replace('/incoming/school_1/', '/files/school_1/');
    for (const wrong of [elsewhere, url.replace('upload_signed', 'upload_other'), url.replace('school_1', 'school_2')])
      await refused(fetch(wrong, { method: 'PUT', body: announced, headers }));
    await refused(fetch(url));
    const longer = new URL(url);
    expect(longer.searchParams.get('X-Amz-Expires')).toBe('60');
    longer.searchParams.set('X-Amz-Expires', '600000');
    await refused(fetch(longer, { method: 'PUT', body: announced, headers }));
    expect(await store.received(at)).toBe(0);
    expect((await put(store, at, announced)).status).toBe(200);
  });

  test('bytes that nobody has completed are found, and nothing that is whole', async () => {
    const store = await bucket();
    const [left, whole] = [
      { school: 'school_3', id: 'upload_left' },
      { school: 'school_3', id: 'upload_whole' },
    ];
    const bytes = randomBytes(100);
    for (const at of [left, whole]) await put(store, at, bytes);
    await store.settle(whole, bytes.length);
    const found: FilePlace[] = [];
    for await (const at of store.unfinished()) if (at.school === 'school_3') found.push(at);
    expect(found).toEqual([left]);
  });

  test('a digest that the store does not say is worked out of the bytes', async () => {
    const settings = await bucketAt((await engine.shared()).url);
    const { S3Client, PutObjectCommand } = await import('@aws-sdk/client-s3');
    const client = new S3Client({
      region: settings.region,
      forcePathStyle: true,
      requestChecksumCalculation: 'WHEN_REQUIRED',
      endpoint: settings.endpoint!,
      credentials: settings.credentials!,
    });
    const bytes = randomBytes(1_000);
    const Key = 'files/school_1/upload_plain';
    await client.send(new PutObjectCommand({ Bucket: settings.bucket, Key, Body: bytes }));
    expect(await new S3Store(settings).digest({ school: 'school_1', id: 'upload_plain' })).toBe(sha256(bytes));
    client.destroy();
  });
});
