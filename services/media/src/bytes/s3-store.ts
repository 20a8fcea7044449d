import type { GetObjectCommandOutput, S3Client } from '@aws-sdk/client-s3';
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { Problem } from '@lyceum/web';
import { type DirectTarget, type Expected, type FilePlace, type FileStore, type Part, isName } from './file-store.ts';

/** A bucket, and who may use it. */
export interface S3Settings {
  readonly bucket: string;
  readonly region: string;
  /** Origin of a store that is not Amazon's. */
  readonly endpoint?: string | undefined;
  /** The origin at which clients reach it, when it is another one. */
  readonly publicEndpoint?: string | undefined;
  /** The bucket stands in the path, not in the name of the host. */
  readonly pathStyle: boolean;
  /** Left out: as the SDK finds them, e.g. by the role of the machine. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;
}

type Folder = 'incoming' | 'files';

/** The SDK is large: who keeps files in a directory never loads it. */
const load = async () => ({
  ...(await import('@aws-sdk/client-s3')),
  ...(await import('@aws-sdk/s3-request-presigner')),
});

const checksumHeader = 'x-amz-checksum-sha256';

/**
 * Files in a bucket of an S3-compatible store: `incoming/<school>/<id>` where clients send bytes by a signed request, which
 * lets nothing but the announced bytes in; `files/<school>/<id>` once they are whole. Several processes may use it.
 */
export class S3Store implements FileStore {
  readonly #settings: S3Settings;
  #loaded: ReturnType<typeof openSdk> | undefined;

  constructor(settings: S3Settings) {
    this.#settings = settings;
  }

  async target(place: FilePlace, { size, sha256 }: Expected, seconds: number): Promise<DirectTarget> {
    const { sdk, outside } = await this.#sdk();
    const checksum = Buffer.from(sha256, 'hex').toString('base64');
    const command = new sdk.PutObjectCommand({
      ...this.#object(place, 'incoming'),
      ContentLength: size,
      ContentType: 'application/octet-stream',
      ChecksumSHA256: checksum,
    });
    const signed = new Set(['content-length', 'content-type', checksumHeader, 'host']);
    const options = { expiresIn: seconds, signableHeaders: signed, unhoistableHeaders: new Set([checksumHeader]) };
    const url = await sdk.getSignedUrl(outside, command, options);
    return { url, headers: { 'content-type': 'application/octet-stream', [checksumHeader]: checksum } };
  }

  async received(place: FilePlace): Promise<number> {
    return (await this.#head(place, 'files'))?.size ?? (await this.#head(place, 'incoming'))?.size ?? 0;
  }

  async settle(place: FilePlace, size: number): Promise<boolean> {
    if ((await this.#head(place, 'files'))?.size === size) return true;
    const incoming = await this.#head(place, 'incoming');
    if (incoming?.size !== size) return false;
    const { sdk, client } = await this.#sdk();
    const { Bucket, Key } = this.#object(place, 'incoming');
    const copy = {
      ...this.#object(place, 'files'),
      CopySource: `${Bucket}/${Key}`,
      ChecksumAlgorithm: 'SHA256',
    } as const;
    if (!(await orNone(client.send(new sdk.CopyObjectCommand(copy))))) return false;
    await this.removeUnfinished(place);
    return true;
  }

  async digest(place: FilePlace): Promise<string | undefined> {
    const found = await this.#head(place, 'files');
    if (!found) return undefined;
    // What the store has worked out of the bytes that it has; a store that does not is read.
    if (found.sha256 !== undefined) return found.sha256;
    const hash = createHash('sha256');
    for await (const chunk of (await this.read(place)) ?? []) hash.update(chunk as Buffer);
    return hash.digest('hex');
  }

  async read(place: FilePlace, part?: Part): Promise<Readable | undefined> {
    const { sdk, client } = await this.#sdk();
    const range = part ? { Range: `bytes=${part.first}-${part.last}` } : {};
    const command = new sdk.GetObjectCommand({ ...this.#object(place, 'files'), ...range });
    return bodyOf(await orNone(client.send(command)));
  }

  async remove(place: FilePlace): Promise<void> {
    await this.removeUnfinished(place);
    await this.#delete(place, 'files');
  }

  removeUnfinished(place: FilePlace): Promise<void> {
    return this.#delete(place, 'incoming');
  }

  async *unfinished(): AsyncIterable<FilePlace> {
    const { sdk, client } = await this.#sdk();
    for (let more: string | undefined, first = true; first || more !== undefined; first = false) {
      const asked = { Bucket: this.#settings.bucket, Prefix: 'incoming/', ...(more && { ContinuationToken: more }) };
      const page = await orNone(client.send(new sdk.ListObjectsV2Command(asked)));
      for (const { Key } of page?.Contents ?? []) {
        const [, school, id] = Key?.split('/') ?? [];
        if (school !== undefined && id !== undefined && isName(school) && isName(id)) yield { school, id };
      }
      more = page?.NextContinuationToken;
    }
  }

  #object({ school, id }: FilePlace, folder: Folder): { readonly Bucket: string; readonly Key: string } {
    if (!isName(school) || !isName(id)) throw new RangeError('no name of a file');
    return { Bucket: this.#settings.bucket, Key: `${folder}/${school}/${id}` };
  }

  async #delete(place: FilePlace, folder: Folder): Promise<void> {
    const { sdk, client } = await this.#sdk();
    await orNone(client.send(new sdk.DeleteObjectCommand(this.#object(place, folder))));
  }

  /** Size and digest of an object, as far as the store says them; undefined when there is none. */
  async #head(place: FilePlace, folder: Folder) {
    const { sdk, client } = await this.#sdk();
    const command = new sdk.HeadObjectCommand({ ...this.#object(place, folder), ChecksumMode: 'ENABLED' });
    const found = await orNone(client.send(command));
    if (!found) return undefined;
    const { ContentLength: size = 0, ChecksumSHA256: checksum } = found;
    // A digest of parts has their number behind it.
    const isWhole = checksum !== undefined && !checksum.includes('-');
    return { size, ...(isWhole ? { sha256: Buffer.from(checksum, 'base64').toString('hex') } : {}) };
  }

  #sdk(): ReturnType<typeof openSdk> {
    return (this.#loaded ??= openSdk(this.#settings));
  }
}

async function openSdk({ region, pathStyle: forcePathStyle, credentials, endpoint, publicEndpoint }: S3Settings) {
  const sdk = await load();
  const at = (origin: string | undefined): S3Client =>
    new sdk.S3Client({
      region,
      forcePathStyle,
      // Only where we ask for one: not every store knows the newer checksums.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      ...(origin === undefined ? {} : { endpoint: origin }),
      ...(credentials ? { credentials: { ...credentials } } : {}),
    });
  return { sdk, client: at(endpoint), outside: at(publicEndpoint ?? endpoint) };
}

/** In Node the SDK gives a stream. */
const bodyOf = (found: GetObjectCommandOutput | undefined): Readable | undefined => found?.Body as Readable | undefined;

async function orNone<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Error && ['NotFound', 'NoSuchKey'].includes(error.name)) return undefined;
    throw new Problem('temporarily_unavailable', 'The store of files gives no answer', { cause: error });
  }
}
