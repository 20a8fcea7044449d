import { text } from 'node:stream/consumers';
import { fromBuffer } from 'yauzl';

/** The files of a zip as text, by their paths, in their order. Rejects what is no whole zip, and files whose check sums are wrong. */
export function unzip(bytes: Uint8Array): Promise<ReadonlyMap<string, string>> {
  return new Promise((resolve, reject) => {
    fromBuffer(Buffer.from(bytes), { lazyEntries: true }, (wrong, zip) => {
      if (wrong) return reject(wrong);
      const files = new Map<string, string>();
      zip.on('error', reject);
      zip.on('end', () => resolve(files));
      zip.on('entry', (entry) =>
        zip.openReadStream(entry, (unreadable, stream) => {
          if (unreadable) return reject(unreadable);
          text(stream).then((content) => {
            files.set(entry.fileName, content);
            zip.readEntry();
          }, reject);
        }),
      );
      zip.readEntry();
    });
  });
}
