import { type Look, type UiLanguage, uiLanguage } from '@lyceum/contracts';
import type { Closure } from '@lyceum/oauth';
import { type Authority, keyOf, parseAuthority } from './authority.ts';
import { internedLook } from './interned-look.ts';

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
  /** How its pages look; undefined until it has published a look of its own. */
  readonly look: Look | undefined;
  /** The language of its pages. */
  readonly language: UiLanguage;
  /** Whether anybody may open an account. */
  readonly isOpen: boolean;
  /** Why it shows nothing of itself; undefined while it does. */
  readonly closure: Closure | undefined;
}

/** The keys of a school in the table of hosts: those it holds itself, and those it answers for when no other school does. */
export interface Keys {
  readonly own: readonly string[];
  readonly aliases: readonly string[];
}

const standardPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };
const loopback = ['127.0.0.1', 'localhost', '[::1]'];
const none: readonly string[] = [];

/** Where a school's base URL says that it is; no port where it is the scheme's own. */
function baseOf({ baseUrl }: Pick<School, 'baseUrl'>): Authority & { readonly standard: string | undefined } {
  const { hostname, port, protocol } = new URL(baseUrl);
  return { host: hostname, port, standard: standardPorts[protocol] };
}

export function keysOf(school: School): Keys {
  const base = baseOf(school);
  const key = keyOf(base);
  const siblings = loopback.includes(base.host) ? loopback.filter((host) => host !== base.host) : none;
  const named = key === school.host ? undefined : parseAuthority(school.host);
  // Usually the host that it was given is the key: then the table shares the one string with the school.
  if (key === school.host && siblings === none) return { own: [school.host], aliases: none };
  const port = named?.port || base.port;
  const other = named && keyOf({ host: named.host, port: port === base.standard ? '' : port });
  return {
    own: other === undefined || other === key ? [key] : [key, other],
    aliases: siblings.map((host) => keyOf({ host, port: base.port })).filter((alias) => alias !== other),
  };
}

/** The key of a school's custom domain: at the port where the school is. */
export const domainKey = (school: School, domain: string): string => keyOf({ host: domain, port: baseOf(school).port });

/** What the school service said of a school. */
export interface SchoolAddress {
  readonly id: string;
  readonly name: string;
  readonly host: string;
  readonly base_url: string;
  readonly look?: Look | undefined;
  /** A language tag; a language that pages do not have is English. */
  readonly locale?: string | undefined;
  readonly isOpen?: boolean | undefined;
  readonly closure?: Closure | undefined;
}

/** The school; undefined when the base URL is not an http(s) URL. */
export function schoolFrom(facts: SchoolAddress): School | undefined {
  const url = URL.canParse(facts.base_url) ? new URL(facts.base_url) : undefined;
  if (!url || !(url.protocol in standardPorts)) return undefined;
  return Object.freeze({
    id: facts.id,
    name: facts.name,
    host: facts.host,
    baseUrl: facts.base_url,
    secure: url.protocol === 'https:',
    look: facts.look && internedLook(facts.look),
    language: uiLanguage({ school: facts.locale }),
    isOpen: facts.isOpen ?? false,
    closure: facts.closure,
  });
}
