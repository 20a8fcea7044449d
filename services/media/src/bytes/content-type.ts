import { fileTypeFromBuffer } from 'file-type';
import { isUtf8 } from 'node:buffer';

/** Bytes from which the type is read. Of an archive no more is unpacked than is in them. */
export const looked = 4_100;

/** Types under which the same content goes. */
const aliases: Readonly<Record<string, string>> = { 'audio/x-flac': 'audio/flac', 'audio/vnd.wave': 'audio/wav' };

/** What a file may be besides what its content says. */
export interface Announced {
  readonly type: string;
  readonly texts: readonly string[];
  readonly packed: readonly string[];
}

/**
 * The type of a file by its first bytes; undefined when they say none. Text and ZIP archives have no mark of what they are
 * beyond that: there what was announced counts, when it is one of them. No name counts.
 */
export async function contentTypeOf(begin: Buffer, { type, texts, packed }: Announced): Promise<string | undefined> {
  const found = (await fileTypeFromBuffer(begin))?.mime;
  if (found === undefined) return isText(begin) ? (texts.includes(type) ? type : 'text/plain') : undefined;
  const mime = aliases[found] ?? found;
  return mime === 'application/zip' && packed.includes(type) ? type : mime;
}

/** Whether bytes are text: no control characters but those of lines, and UTF-8 up to a character that is cut. */
function isText(bytes: Buffer): boolean {
  if (bytes.some((byte) => byte < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d].includes(byte))) return false;
  return [0, 1, 2, 3].some((cut) => isUtf8(bytes.subarray(0, bytes.length - cut)));
}
