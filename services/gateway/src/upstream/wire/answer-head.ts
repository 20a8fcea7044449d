import { type HeaderName, fieldOf, headerName } from './header-name.ts';
import { BadAnswer } from './bad-answer.ts';

/** The head of an answer. */
export interface AnswerHead {
  readonly status: number;
  /** What is passed on: name in small letters, value, name, value. Nothing about this connection or its framing. */
  readonly headers: string[];
  /** What Content-Length says; undefined where there is none. */
  readonly length: number | undefined;
  readonly isChunked: boolean;
  /** Whether the other side lets the connection stand. */
  readonly isKept: boolean;
  /** What it says about how long. */
  readonly keepAlive: string | undefined;
}

/** What headers say that are read here. */
interface Said {
  length?: number;
  isChunked?: true;
  connection?: string;
  keepAlive?: string;
}

interface StatusLine {
  readonly status: number;
  readonly minor: string;
}

/** Services say the same few things all day: what was read of a line is kept. */
const statusLines = new Map<string, StatusLine>();
const statusForm = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?$/;

/**
 * Reads the head of an answer, of which `text` holds the bytes from its first to `end`, before the empty line. Throws
 * `BadAnswer` when anything about it is unclear: two readers of one head must not disagree about where the body ends.
 * @see RFC 9112 §4, §5, §6.3
 */
export function parseHead(text: string, end: number): AnswerHead {
  let lineEnd = endOf(text, 0, end);
  const { status, minor } = statusOf(text.slice(0, lineEnd));
  const headers: string[] = [];
  const said: Said = {};
  for (let at = lineEnd + 2; at < end; at = lineEnd + 2) {
    lineEnd = endOf(text, at, end);
    const colon = text.indexOf(':', at);
    if (colon === -1 || colon > lineEnd) throw new BadAnswer('a line of its head is no header');
    const name = headerName(text.slice(at, colon));
    const value = fieldOf(text, colon + 1, lineEnd);
    if (name.use === 'passed') headers.push(name.lower, value);
    else note(said, name, value, headers);
  }
  const { length, isChunked = false, connection, keepAlive } = said;
  if (isChunked && (length !== undefined || minor === '0')) throw new BadAnswer('its framing contradicts itself');
  const isKept = connection === undefined ? minor === '1' : settle(connection, minor, headers);
  return { status, headers, length, isChunked, isKept, keepAlive };
}

function endOf(text: string, at: number, end: number): number {
  const found = text.indexOf('\r\n', at);
  return found === -1 || found > end ? end : found;
}

function statusOf(line: string): StatusLine {
  const known = statusLines.get(line);
  if (known) return known;
  const [, minor, status] = statusForm.exec(line) ?? [];
  if (status === undefined) throw new BadAnswer('its status line cannot be read');
  const read = { status: Number(status), minor: minor! };
  if (statusLines.size >= 100) statusLines.clear();
  // A slice would keep the whole head that it is of.
  statusLines.set(Buffer.from(line, 'latin1').toString('latin1'), read);
  return read;
}

/** Keeps what a header says that is not simply passed on. */
function note(said: Said, { lower, use }: HeaderName, value: string, headers: string[]): void {
  if (use === 'length') {
    if (said.length !== undefined || !/^\d{1,15}$/.test(value))
      throw new BadAnswer('its Content-Length is not one number');
    said.length = Number(value);
    headers.push(lower, value);
  } else if (use === 'coding') {
    if (said.isChunked || value.toLowerCase() !== 'chunked') throw new BadAnswer('its transfer coding is not chunked');
    said.isChunked = true;
  } else if (use === 'connection')
    said.connection = said.connection === undefined ? value : `${said.connection},${value}`;
  else if (use === 'keep-alive') said.keepAlive = value;
}

/** Removes the headers that a Connection header names as its own; whether the connection stands. @see RFC 9110 §7.6.1 */
function settle(connection: string, minor: string, headers: string[]): boolean {
  if (connection === 'keep-alive') return true;
  const named = connection
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  for (let index = headers.length - 2; index >= 0; index -= 2)
    if (named.includes(headers[index]!)) headers.splice(index, 2);
  return !named.includes('close') && (minor === '1' || named.includes('keep-alive'));
}
