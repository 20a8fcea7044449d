import { fold } from '@lyceum/eventlog';
import { Problem, alreadyHas } from '@lyceum/web';
import type { RouterContext } from '@koa/router';
import { partOf } from '../bytes/byte-range.ts';
import type { FilePlace, Part } from '../bytes/file-store.ts';
import type { MediaPorts } from '../ports/media-ports.ts';
import type { Upload } from '../uploads/upload.state.ts';
import { uploadDecider } from '../uploads/upload.ts';

/** What a browser shows in a page of ours; everything else is saved. */
const isShown = (type: string): boolean => /^(?:image|audio|video)\//.test(type);

/** Whatever a file is, nothing in it runs, loads or is taken for another type. */
const harmless = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy':
    "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; sandbox",
  // Pages of other origins show covers and videos.
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Referrer-Policy': 'no-referrer',
};

/** The ready file of this id. Throws 404 when there is none. */
export async function readyFile({ school, id }: FilePlace, { log }: Pick<MediaPorts, 'log'>): Promise<Upload> {
  const { state: upload } = await fold(log, uploadDecider, school, id);
  if (upload?.state !== 'ready') throw new Problem('not_found');
  return upload;
}

/**
 * Answers GET and HEAD with a file, a part of it, or that the client has it already. `keep`: for how long caches may.
 * @see RFC 9110 §13.2.2, §14
 */
export async function answerFile(
  context: RouterContext,
  place: FilePlace,
  { filename, content_type, size, sha256 }: Upload,
  { store }: Pick<MediaPorts, 'store'>,
  keep: string,
): Promise<void> {
  const tag = `"${sha256}"`;
  const wanted = context.get('If-Match');
  if (wanted !== '' && wanted.trim() !== '*' && !wanted.split(',').some((each) => each.trim() === tag))
    throw new Problem('precondition_failed', 'The file is another one');
  const headers = { ...harmless, ETag: tag, 'Accept-Ranges': 'bytes', 'Cache-Control': `${keep}, no-transform` };
  if (alreadyHas(context.get('If-None-Match'), sha256)) {
    context.set(headers);
    context.status = 304;
    return;
  }
  const part = wantedPart(context, tag, size);
  const stream = context.method === 'HEAD' ? undefined : await store.read(place, part);
  if (context.method === 'GET' && !stream)
    throw new Problem('server_error', undefined, { cause: new Error('the bytes of a ready file are not there') });
  context.attachment(filename, { type: isShown(content_type) ? 'inline' : 'attachment' });
  context.set(headers);
  if (part) context.set('Content-Range', `bytes ${part.first}-${part.last}/${size}`);
  context.status = part ? 206 : 200;
  context.set('Content-Type', content_type.startsWith('text/') ? `${content_type}; charset=utf-8` : content_type);
  if (stream) context.body = stream;
  context.set('Content-Length', String(part ? part.last - part.first + 1 : size));
}

/** The part that a request is for, unless it is for one of another file. Throws 416 when nothing is in it. */
function wantedPart(context: RouterContext, tag: string, size: number): Part | undefined {
  const condition = context.get('If-Range');
  if (context.method !== 'GET' || (condition !== '' && condition !== tag)) return undefined;
  const part = partOf(context.get('Range'), size);
  if (part !== 'none') return part;
  const headers = { 'Content-Range': `bytes */${size}` };
  throw new Problem('range_not_satisfiable', `The file has ${size} bytes`, { headers });
}
