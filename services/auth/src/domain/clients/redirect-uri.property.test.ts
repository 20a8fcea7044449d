import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readClientMetadata } from './metadata/client-metadata.ts';
import { isLoopbackRedirect, matchesRedirect } from './redirect-uri.ts';

/** What a loopback address is made of, by hand, character by character: no expression and no URL parser. */
interface Parts {
  readonly host: string;
  readonly port: string;
  readonly rest: string;
}

const hosts = ['127.0.0.1', '[::1]', 'localhost'];
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const digits = '0123456789';
const hexDigits = `${digits}ABCDEFabcdef`;
/** RFC 3986 §3.3 pchar and `/`, less `*`. */
const pathCharacters = `${letters}${digits}-._~!$&'()+,;=:@/`;

function oracle(uri: string): Parts | undefined {
  if (uri.length > 2048 || uri.slice(0, 7) !== 'http://') return undefined;
  let end = 7;
  while (end < uri.length && !'/?#'.includes(uri[end]!)) end += 1;
  const authority = uri.slice(7, end);
  const host = hosts.find((each) => authority === each || authority.startsWith(`${each}:`));
  if (host === undefined) return undefined;
  const port = authority.slice(host.length);
  if (port !== '' && !isPort(port.slice(1))) return undefined;
  const rest = uri.slice(end);
  return isRest(rest) ? { host, port, rest } : undefined;
}

const isPort = (text: string): boolean =>
  text.length > 0 &&
  text.length <= 5 &&
  text[0] !== '0' &&
  [...text].every((each) => digits.includes(each)) &&
  Number(text) <= 65_535;

function isRest(rest: string): boolean {
  let inQuery = false;
  for (let at = 0; at < rest.length; at += 1) {
    const each = rest[at]!;
    if (each === '%') {
      if (!hexDigits.includes(rest[at + 1] ?? '!') || !hexDigits.includes(rest[at + 2] ?? '!')) return false;
    } else if (each === '?') inQuery = true;
    else if (!pathCharacters.includes(each)) return false;
    if (!inQuery && at === 0 && each !== '/') return false;
  }
  return true;
}

const oracleMatches = (registered: string, asked: string): boolean => {
  if (registered === asked) return true;
  const [known, target] = [oracle(registered), oracle(asked)];
  return known !== undefined && target !== undefined && known.host === target.host && known.rest === target.rest;
};

const strangers = `
  127.1 127.0.0.2 0x7f.1 2130706433 0.0.0.0 0177.0.0.1 [::] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1] localhost. LOCALHOST
  127.0.0.1. 127.0.0.1.evil.test localhost.evil.test evil.test * ::1 １２７.0.0.1 locaⅼhost
`.split(/ |\n/);

/** Pieces that belong, and pieces that must not, in every place of an address. */
const table = {
  scheme: ['http://', 'https://', 'HTTP://', 'http:', 'http:/', '//', '', 'app://', 'http://http://'],
  userinfo: ['', '', '', '', 'u@', 'u:p@', '@', '127.0.0.1@', 'localhost:80@'],
  host: [...hosts, ...hosts, ...hosts, ...strangers],
  port: ['', '', ':1', ':80', ':8080', ':65535', ':65536', ':0', ':', ':080', ':8a', ':-1', ':+1', ': 80', ':99999'],
  path: [
    '',
    '/',
    '/cb',
    '/a/b',
    '/c%20b',
    '/%zz',
    '/%2',
    '/c b',
    '/*',
    '/caf\u00e9',
    '\\',
    '/a:b@c',
    '//',
    "/!$&'()+,;=",
    '/..',
  ],
  query: ['', '', '?', '?x=1', '?a=%2F&b', '??', '?*', '?x y', '?[', '?\n'],
  end: ['', '', '', '', '#', '#part', ' ', '\n', '\u0000', '@evil.test'],
} as const;

const pieced = fc
  .tuple(...Object.values(table).map((pieces) => fc.constantFrom(...pieces)))
  .map((pieces) => pieces.join(''));

/** Good addresses with a few characters inserted, taken out or replaced. */
const mutated = fc
  .tuple(
    fc.constantFrom('http://127.0.0.1/cb', 'http://[::1]:8080/a?b=c', 'http://localhost:3000', 'http://localhost/%20'),
    fc.array(fc.tuple(fc.nat(30), fc.nat(2), fc.constantFrom(...`${pathCharacters}?#%*[]{}\\ \n\t"<>^|0aZ`)), {
      maxLength: 3,
    }),
  )
  .map(([uri, changes]) =>
    changes.reduce<string>(
      (text, [at, taken, put]) => text.slice(0, at) + (taken === 2 ? '' : put) + text.slice(at + (taken && 1)),
      uri,
    ),
  );

const any = fc.oneof({ weight: 5, arbitrary: pieced }, { weight: 5, arbitrary: mutated }, fc.string(), fc.webUrl());
const numRuns = 12_000;

const accepts = (uri: string): boolean => {
  try {
    readClientMetadata({ redirect_uris: [uri] }, { localhostRedirects: true });
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'invalid_redirect_uri') throw error;
    return false;
  }
};

describe('redirect URIs, against a table and a reader of their own', () => {
  test('RFC 7591 §3.2.2: registration takes exactly the loopback addresses', () => {
    const seen = { good: 0, bad: 0 };
    fc.assert(
      fc.property(any, (uri) => {
        const expected = oracle(uri) !== undefined;
        seen[expected ? 'good' : 'bad'] += 1;
        return accepts(uri) === expected && isLoopbackRedirect(uri) === expected;
      }),
      { numRuns },
    );
    // Otherwise the table has gone stale and the property says little.
    expect(Math.min(seen.good, seen.bad)).toBeGreaterThan(numRuns / 20);
  });

  test('RFC 8252 §7.3: what is asked for matches what is registered but for the port of a loopback address', () => {
    const ported = (uri: string) =>
      fc.constantFrom(':1', ':65535', ':8080', '', ':0', '.').map((port) => {
        const parts = oracle(uri);
        return parts ? `http://${parts.host}${port}${parts.rest}` : uri;
      });
    const pairs = any.chain((registered) => fc.tuple(fc.constant(registered), fc.oneof(ported(registered), any)));
    const seen = { good: 0, bad: 0 };
    fc.assert(
      fc.property(pairs, ([registered, asked]) => {
        const expected = oracleMatches(registered, asked);
        seen[expected ? 'good' : 'bad'] += 1;
        return matchesRedirect([registered], asked) === expected;
      }),
      { numRuns },
    );
    expect(Math.min(seen.good, seen.bad)).toBeGreaterThan(numRuns / 20);
  });

  test('RFC 8252 §7.3: whatever matches leads to the host that was registered', () => {
    const both = fc.tuple(mutated, mutated).filter(([one, other]) => matchesRedirect([one], other));
    fc.assert(
      fc.property(both, ([registered, asked]) => {
        if (oracle(registered) === undefined) return;
        const [known, target] = [new URL(registered), new URL(asked)];
        expect([target.protocol, target.hostname, target.pathname, target.username, target.hash]).toEqual([
          known.protocol,
          known.hostname,
          known.pathname,
          '',
          '',
        ]);
      }),
      { numRuns: 300 },
    );
  });
});
