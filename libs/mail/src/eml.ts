/** What a mail program shows of a mail. */
export interface Eml {
  /** Headers by their name in lower case, decoded. */
  readonly headers: Readonly<Record<string, string>>;
  /** The plain text. */
  readonly text: string;
}

/** Reads an .eml of this library, as far as tests look: decoded headers and the plain text. @see RFC 2047 §2, RFC 2045 §6.7 */
export function readEml(bytes: Buffer): Eml {
  const part = parse(bytes.toString('latin1'));
  const boundary = /boundary="([^"]+)"/.exec(part.headers['content-type'] ?? '')?.[1];
  const plain = boundary === undefined ? part : parse(part.body.split(`--${boundary}\r\n`)[1] ?? '');
  const text = decode(plain.headers['content-transfer-encoding'] ?? '7bit', plain.body).toString('utf8');
  return { headers: part.headers, text: text.replaceAll('\r\n', '\n').trimEnd() };
}

function parse(source: string): { headers: Record<string, string>; body: string } {
  const end = source.indexOf('\r\n\r\n');
  const lines = source
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), words(line.slice(colon + 1).trim())];
  });
  return { headers: Object.fromEntries(headers), body: source.slice(end + 4) };
}

/** Encoded words beside each other are one text, and a character may be cut between them. */
const words = (value: string): string =>
  value
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/(=\?utf-8\?[qb]\?[^?]*\?=)+/gi, (run) =>
      Buffer.concat(
        [...run.matchAll(/=\?utf-8\?([qb])\?([^?]*)\?=/gi)].map(([, kind = '', text = '']) =>
          kind.toLowerCase() === 'b' ? decode('base64', text) : decode('quoted-printable', text.replaceAll('_', ' ')),
        ),
      ).toString('utf8'),
    );

function decode(encoding: string, body: string): Buffer {
  if (encoding === 'base64') return Buffer.from(body, 'base64');
  if (encoding !== 'quoted-printable') return Buffer.from(body, 'latin1');
  const joined = body.replaceAll('=\r\n', '');
  return Buffer.from(
    joined.replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
}
