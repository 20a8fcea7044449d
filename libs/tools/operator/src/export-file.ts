import { createHash, randomUUID } from 'node:crypto';
import { link, open, rm } from 'node:fs/promises';
import { OperatorRefused } from './operator-client.ts';

/** The last line of an exported school: how many lines are before it, and their SHA-256. */
interface End {
  readonly end?: { readonly lines?: unknown; readonly sha256?: unknown };
}

const newline = 10;
/** Bytes of one line: what an import takes at most, in its longest form. */
const longestLine = 64 * 1024 * 1024;

/**
 * Writes an exported school into a new file (0600) as it comes, and compares it with its last line. The file is there
 * when all of it is, on disk and as it was sent. Throws `OperatorRefused`.
 */
export async function writeExport(
  chunks: AsyncIterable<Uint8Array>,
  file: string,
): Promise<{ readonly file: string; readonly lines: number; readonly bytes: number }> {
  const draft = `${file}.${randomUUID()}.part`;
  const handle = await open(draft, 'wx', 0o600).catch((cause: unknown) => {
    throw new OperatorRefused(`${file} cannot be written: ${(cause as Error).message}`, { cause });
  });
  try {
    const copied = await copyChecked(chunks, (chunk) => handle.write(chunk));
    await handle.sync();
    await link(draft, file).catch((cause: unknown) => {
      const isThere = (cause as NodeJS.ErrnoException).code === 'EEXIST';
      throw new OperatorRefused(`${file} ${isThere ? 'is there already' : 'cannot be written'}`, { cause });
    });
    return { file, ...copied };
  } finally {
    await handle.close();
    await rm(draft, { force: true });
  }
}

async function copyChecked(chunks: AsyncIterable<Uint8Array>, write: (chunk: Uint8Array) => Promise<unknown>) {
  const hash = createHash('sha256');
  let [lines, bytes] = [0, 0];
  // The line that may be the last one, which its own digest leaves out.
  let held = Buffer.alloc(0);
  for await (const chunk of chunks) {
    await write(chunk);
    bytes += chunk.length;
    held = Buffer.concat([held, chunk]);
    const before = held.lastIndexOf(newline, -2) + 1;
    const sure = held.subarray(0, before);
    hash.update(sure);
    for (let at = sure.indexOf(newline); at >= 0; at = sure.indexOf(newline, at + 1)) lines += 1;
    held = held.subarray(before);
    if (held.length > longestLine) throw new OperatorRefused('A line of the export is longer than any can be');
  }
  const { end } = endOf(held);
  if (end?.lines !== lines || end.sha256 !== hash.digest('hex'))
    throw new OperatorRefused('The export broke off, or is not as it was sent: nothing was kept. Ask for it again.');
  return { lines, bytes };
}

function endOf(line: Buffer): End {
  try {
    return (JSON.parse(line.toString()) ?? {}) as End;
  } catch {
    return {};
  }
}
