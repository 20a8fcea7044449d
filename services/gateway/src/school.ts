import type { Look } from '@lyceum/contracts';
import { type Authority, keyOf, parseAuthority } from './authority.ts';

/** A school as the edge knows it. A new value after every fact about it, so caches may be keyed by identity. */
export interface School {
  readonly id: string;
  readonly name: string;
  /** The host that its owner gave, perhaps without the port. */
  readonly host: string;
  /** Issuer and prefix of every URL of the school, byte for byte; no trailing slash. */
  readonly baseUrl: string;
  /** Whether visitors come by https. */
  readonly secure: boolean;
  /** How its pages look; absent until it has published a look of its own. */
  readonly look?: Look;
}

const defaultPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };
const loopback = ['127.0.0.1', 'localhost', '[::1]'];

const spellings = ({ host, port }: Authority, standard: string | undefined): readonly string[] =>
  port === '' || port === standard
    ? [keyOf({ host, port: '' }), ...(standard === undefined ? [] : [keyOf({ host, port: standard })])]
    : [keyOf({ host, port })];

/** The keys of a school in the table of hosts: those it holds itself, and those it answers for when no other school does. */
export function keysOf(school: School): { readonly own: readonly string[]; readonly aliases: readonly string[] } {
  const url = new URL(school.baseUrl);
  const standard = defaultPorts[url.protocol];
  const base: Authority = { host: url.hostname, port: url.port };
  const named = parseAuthority(school.host);
  const own = new Set(spellings(base, standard));
  if (named) for (const key of spellings({ ...named, port: named.port || base.port }, standard)) own.add(key);
  const siblings = loopback.includes(base.host) ? loopback.filter((host) => host !== base.host) : [];
  return {
    own: [...own],
    aliases: siblings.flatMap((host) => spellings({ host, port: base.port }, standard)).filter((key) => !own.has(key)),
  };
}

/** A school from what the school service said of it; undefined when the base URL is not an http(s) URL. */
export function schoolFrom(facts: {
  readonly id: string;
  readonly name: string;
  readonly host: string;
  readonly base_url: string;
  readonly look?: Look | undefined;
}): School | undefined {
  const url = URL.canParse(facts.base_url) ? new URL(facts.base_url) : undefined;
  if (!url || !(url.protocol in defaultPorts)) return undefined;
  return Object.freeze({
    id: facts.id,
    name: facts.name,
    host: facts.host,
    baseUrl: facts.base_url,
    secure: url.protocol === 'https:',
    ...(facts.look ? { look: facts.look } : {}),
  });
}
