import { createHash } from 'node:crypto';
import { Problem } from '@lyceum/web';
import { contentTypeOf } from '../bytes/content-type.ts';
import type { FilePlace } from '../bytes/local-store.ts';
import type { MediaPorts } from '../ports/media-ports.ts';
import { packedTypes, purposeOf, textTypes } from './upload.purposes.ts';
import type { Upload } from './upload.state.ts';
import type { UploadCommand } from './upload.ts';

/**
 * What follows from the bytes of an upload: that it is ready, or that its content is refused. Throws 409 while they are
 * not those that were announced: what has a wrong digest is removed, so that it can be sent again.
 */
export async function judgeBytes(
  place: FilePlace,
  upload: Upload,
  { store }: Pick<MediaPorts, 'store'>,
): Promise<UploadCommand> {
  if (!(await store.isWhole(place))) {
    const received = await store.received(place);
    throw new Problem('size_mismatch', `${received} of ${upload.size} bytes have arrived`);
  }
  if ((await digestOf(place, store)) !== upload.sha256) {
    await store.remove(place);
    throw new Problem('checksum_mismatch', 'The bytes are not those that were announced: send them again');
  }
  const contentType = await typeOf(place, upload, store);
  const { id } = place;
  if (contentType !== undefined && purposeOf(upload.purpose)?.types.includes(contentType))
    return { type: 'MakeReady', id, contentType };
  const reason = `The content is ${contentType ?? 'of no known type'}, which a ${upload.purpose} may not be`;
  return { type: 'RejectUpload', id, reason };
}

async function digestOf(place: FilePlace, store: MediaPorts['store']): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of (await store.read(place)) ?? []) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

async function typeOf(place: FilePlace, upload: Upload, store: MediaPorts['store']): Promise<string | undefined> {
  const file = await store.open(place);
  if (!file) return undefined;
  try {
    return await contentTypeOf(file, { type: upload.content_type, texts: textTypes, packed: packedTypes });
  } finally {
    await file.close();
  }
}
