import { storedJson } from '@lyceum/kernel';
import type { Ports } from '@lyceum/web';
import { sha256 } from '../../sealing/digest.ts';
import { lifetimes } from '../lifetimes.ts';

/** The authorization that a code redeems. */
export interface CodeRecord {
  readonly grant: string;
  readonly client: string;
  readonly redirectUri: string;
  /** Undefined when the client did without PKCE. */
  readonly challenge: string | undefined;
  readonly nonce: string | undefined;
}

/** What is left of a code that was redeemed, or burned after too many failed checks. */
interface Tombstone {
  readonly grant: string;
  readonly client: string;
  readonly burned: boolean;
}

/** What became of a code. */
export type CodeState =
  | { readonly state: 'live'; readonly record: CodeRecord }
  | { readonly state: 'used'; readonly grant: string; readonly client: string }
  | { readonly state: 'dead' };

type CodePorts = Pick<Ports, 'ephemeral' | 'ids'>;

const mostFailures = 5;
const codeLife = lifetimes.code * 1000;
/** A replay is noticed for as long as a token of the grant could live. */
const tombstoneLife = lifetimes.refreshAbsolute * 1000;

const keyOf = (school: string, code: string): string => `${school}:code:${sha256(code)}`;

/** Makes a code of 256 bits. Only its hash is kept, for 60 seconds. @see RFC 6749 §4.1.2, §10.10 */
export async function storeCode({ ephemeral, ids }: CodePorts, school: string, record: CodeRecord): Promise<string> {
  const code = ids.secret();
  await ephemeral.putIfAbsent(keyOf(school, code), JSON.stringify(record), codeLife);
  return code;
}

/** Looks at a code without using it up. */
export async function findCode({ ephemeral }: CodePorts, school: string, code: string): Promise<CodeState> {
  const key = keyOf(school, code);
  const live = await ephemeral.get(key);
  if (live !== undefined) return { state: 'live', record: storedJson(live) };
  // A code that is gone never returns, so this finds a tombstone or nothing.
  const found = await ephemeral.redeem(key, '', 1);
  if (found.state !== 'redeemed' || found.tombstone === '') return { state: 'dead' };
  const { grant, client, burned } = storedJson<Tombstone>(found.tombstone);
  return burned ? { state: 'dead' } : { state: 'used', grant, client };
}

/**
 * Remembers that a code was redeemed, so that a replay is noticed long after it would have expired. Called when its grant
 * says so: a crash before leaves the code good, and a crash in between leaves it to the grant to know.
 */
export async function markCodeRedeemed(
  { ephemeral }: Pick<CodePorts, 'ephemeral'>,
  school: string,
  code: string,
  { grant, client }: CodeRecord,
): Promise<void> {
  const tombstone: Tombstone = { grant, client, burned: false };
  await ephemeral.redeem(keyOf(school, code), JSON.stringify(tombstone), tombstoneLife);
}

/** Counts a failed check of a live code; the fifth burns it, so that nobody can guess at its verifier. */
export async function countFailedCheck({ ephemeral }: CodePorts, school: string, code: string, record: CodeRecord) {
  const key = keyOf(school, code);
  const { count } = await ephemeral.increment(`${key}:failed`, codeLife);
  if (count < mostFailures) return;
  const tombstone: Tombstone = { grant: record.grant, client: record.client, burned: true };
  await ephemeral.redeem(key, JSON.stringify(tombstone), tombstoneLife);
}
