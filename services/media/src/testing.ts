import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TrustState } from '@lyceum/oauth';
import { listen } from '@lyceum/testkit';
import { type Engines, type Got, type Sent, type ServiceUnderTest, serviceUnderTest } from '@lyceum/testkit-service';
import type { S3Settings } from './bytes/s3-store.ts';
import { media } from './module.ts';

/** The service with a directory of its own, and a way to send and read bytes. */
export interface MediaUnderTest extends ServiceUnderTest {
  readonly directory: string;
  /** Files that things of other services name, as those would answer; `away`: they do not answer. */
  readonly held: Set<string>;
  /** Asks for an address as the gateway passes it on. */
  bytes(url: string, request?: RequestInit & { readonly school?: string }): Promise<Response>;
  /** Announces bytes. */
  announce(body: Uint8Array, more?: object, sent?: Sent): Promise<Got>;
  /** Announces, sends and completes. */
  upload(body: Uint8Array, more?: object, sent?: Sent): Promise<Got['body']>;
}

/** The least that is an image. */
export const png = Buffer.concat([
  Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex'),
  Buffer.from('0000000a49444154789c63000100000500010d0a2db40000000049454e44ae426082', 'hex'),
]);

/** The digest that is announced. */
export const sha256 = (body: Uint8Array): string => createHash('sha256').update(body).digest('hex');

/** A new bucket of a server whose user stands in its URL. */
export async function bucketAt(url: string): Promise<S3Settings> {
  const { username: accessKeyId, password: secretAccessKey, origin: endpoint } = new URL(url);
  const credentials = { accessKeyId, secretAccessKey };
  const bucket = `files-${randomUUID()}`;
  const { CreateBucketCommand, S3Client } = await import('@aws-sdk/client-s3');
  const client = new S3Client({ region: 'us-east-1', forcePathStyle: true, endpoint, credentials });
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  client.destroy();
  return { bucket, region: 'us-east-1', endpoint, pathStyle: true, credentials };
}

/** The settings of a service whose files are in a bucket. */
const settingsOf = ({ bucket, endpoint, credentials }: S3Settings) => ({
  MEDIA_S3_BUCKET: bucket,
  MEDIA_S3_ENDPOINT: endpoint,
  MEDIA_S3_PATH_STYLE: 'true' as const,
  MEDIA_S3_ACCESS_KEY_ID: credentials?.accessKeyId,
  MEDIA_S3_SECRET_ACCESS_KEY: credentials?.secretAccessKey,
});

/** Answers which files other services hold; nothing while `away` is among them. */
const answering =
  (held: ReadonlySet<string>) =>
  async (_service: string, { ids }: Readonly<Record<string, unknown>>): Promise<unknown> => {
    if (held.has('away')) throw new Error('away');
    return { held: (ids as readonly string[]).filter((id) => held.has(id)) };
  };

/** Starts the service on a directory, or on a new one. */
export async function startMedia(
  options: {
    readonly directory?: string;
    readonly engines?: Engines;
    readonly quota?: number;
    readonly bucket?: S3Settings;
    readonly scanner?: string;
    readonly trust?: TrustState;
  } = {},
): Promise<MediaUnderTest> {
  const directory = options.directory ?? (await mkdtemp(join(tmpdir(), 'media-')));
  const held = new Set<string>();
  const service = await serviceUnderTest(media, {
    ports: { ask: answering(held) },
    settings: {
      DATA_DIR: directory,
      ...(options.quota && { STORAGE_QUOTA_GB: options.quota }),
      ...(options.bucket && settingsOf(options.bucket)),
      ...(options.scanner !== undefined && { MEDIA_SCAN_URL: options.scanner }),
    },
    ...(options.engines && { engines: options.engines }),
    ...(options.trust && { trust: options.trust }),
  });
  const front = await listen(service.started.app);
  const bytes: MediaUnderTest['bytes'] = (url, { school = 'school_1', headers, ...request } = {}) => {
    const { pathname } = new URL(url, 'http://school.test');
    const sent = { 'x-school-id': school, ...(headers as Record<string, string> | undefined) };
    return fetch(`http://127.0.0.1:${front.port}${pathname}`, { ...request, headers: sent });
  };
  const announce: MediaUnderTest['announce'] = (body, more = {}, sent = {}) => {
    const announced = { purpose: 'cover', filename: 'a cover.png', content_type: 'image/png', size: body.length };
    return service.call('POST', '/api/storage/uploads', {
      ...sent,
      body: { ...announced, sha256: sha256(body), ...more },
    });
  };
  return {
    ...service,
    directory,
    held,
    bytes,
    announce,
    async upload(body, more, sent = {}) {
      const got = await announce(body, more, sent);
      if (got.status !== 201) throw new Error(`not announced: ${got.status} ${JSON.stringify(got.body)}`);
      const { school } = sent;
      const put = await bytes(got.body.upload.url, { method: 'PUT', body, ...(school && { school }) });
      if (put.status !== 204) throw new Error(`not sent: ${put.status} ${await put.text()}`);
      return (await service.call('POST', `/api/storage/uploads/${got.body.id}/complete`, sent)).body;
    },
    async close() {
      await Promise.all([front.close(), service.close()]);
      if (options.directory === undefined) await rm(directory, { recursive: true, force: true });
    },
  };
}
