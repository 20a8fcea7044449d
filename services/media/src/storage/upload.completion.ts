import { buffer } from 'node:stream/consumers';
import { Problem } from '@lyceum/web';
import { contentTypeOf, looked } from '../bytes/content-type.ts';
import type { FilePlace } from '../bytes/file-store.ts';
import type { MediaPorts } from '../ports/media-ports.ts';
import { packedTypes, purposeOf, textTypes } from '../uploads/upload.purposes.ts';
import type { Upload } from '../uploads/upload.state.ts';
import type { UploadCommand } from '../uploads/upload.ts';

/**
 * What follows from the bytes of an upload: that it is ready or to be scanned, or that its content is refused. Throws 409 while they are
 * not those that were announced: what has a wrong digest is removed, so that it can be sent again.
 */
export async function judgeBytes(
  place: FilePlace,
  upload: Upload,
  { store, settings }: Pick<MediaPorts, 'store' | 'settings'>,
): Promise<UploadCommand> {
  if (!(await store.settle(place, upload.size))) {
    const received = await store.received(place);
    throw new Problem('size_mismatch', `${received} of ${upload.size} bytes have arrived`);
  }
  if ((await store.digest(place)) !== upload.sha256) {
    await store.remove(place);
    throw new Problem('checksum_mismatch', 'The bytes are not those that were announced: send them again');
  }
  const contentType = await typeOf(place, upload, store);
  const { id } = place;
  if (contentType !== undefined && purposeOf(upload.purpose)?.types.includes(contentType))
    return { type: settings.MEDIA_SCAN_URL === undefined ? 'MakeReady' : 'BeginScan', id, contentType };
  const reason = `The content is ${contentType ?? 'of no known type'}, which a ${upload.purpose} may not be`;
  return { type: 'RejectUpload', id, reason };
}

/** The type that the first bytes say. */
async function typeOf(place: FilePlace, upload: Upload, store: MediaPorts['store']): Promise<string | undefined> {
  const bytes = await store.read(place, { first: 0, last: Math.min(looked, upload.size) - 1 });
  if (!bytes) return undefined;
  const begin = await buffer(bytes);
  return contentTypeOf(begin, { type: upload.content_type, texts: textTypes, packed: packedTypes });
}
