import { PassThrough, Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** A file of a zip. */
export interface ZippedFile {
  /** A path of ours, with slashes. */
  readonly name: string;
  /** Its text, in pieces. */
  readonly pieces: AsyncIterable<string> | Iterable<string>;
}

/**
 * A zip file of these, written as fast as it is taken: each file is asked for when the one before is written. When one cannot
 * be read, the stream ends with that error and has no directory of its files, so that nobody takes it for the whole; when the
 * reader goes, no more is asked for.
 */
export function zipOf(files: AsyncIterable<ZippedFile>, at: Date): Readable {
  const zip = new ZipFile();
  const out = new PassThrough();
  zip.on('error', (error: Error) => out.destroy(error));
  // Why the stream ended early, it tells by itself.
  pipeline(zip.outputStream, out).catch(() => undefined);
  fill(zip, files, at, out).catch((error: Error) => out.destroy(error));
  return out;
}

async function fill(zip: ZipFile, files: AsyncIterable<ZippedFile>, mtime: Date, out: PassThrough): Promise<void> {
  for await (const { name, pieces } of files) {
    // The reader may have gone while it was awaited.
    if (out.destroyed) return;
    const source = Readable.from(pieces);
    const leave = () => void source.destroy();
    out.once('close', leave);
    zip.addReadStream(source, name, { mtime });
    await finished(source);
    out.off('close', leave);
  }
  zip.end();
}
