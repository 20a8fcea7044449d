import type { Ephemeral } from '@lyceum/ephemeral';
import { type Ids, uuidv5 } from '@lyceum/kernel';
import { hash } from 'node:crypto';
import type { Call } from '../operations/operation.ts';
import { addressPartition } from '../limits/address-partition.ts';
import { Problem } from '../replies/problem.ts';

const longestKey = 255;
/** A crashed request holds its key no longer than this. Milliseconds. */
const running = 60_000;

const quoted = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/;
const bare = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]+$/;

/**
 * The key in an Idempotency-Key header: a structured-field string, or leniently a bare token, since most clients send
 * that. Undefined when absent; 400 when empty, malformed or longer than 255 characters.
 * @see draft-ietf-httpapi-idempotency-key-header §2.1
 */
export function idempotencyKey(header: string): string | undefined {
  if (header === '') return undefined;
  const value = header.trim();
  const key = quoted.exec(value)?.[1]?.replaceAll(/\\(["\\])/g, '$1') ?? bare.exec(value)?.[0];
  if (key === undefined || key === '' || key.length > longestKey)
    throw new Problem('invalid_request', 'Idempotency-Key must be a string of 1 to 255 printable characters');
  return key;
}

/** Who asks for what: the same key means the same request only within this scope. */
export interface KeyScope {
  readonly school: string;
  readonly client: string;
  readonly subject: string;
  /** The network address of a caller without a token, as the gateway saw it; undefined for one with a token, and for operators. */
  readonly address: string | undefined;
  readonly operation: string;
  readonly method: string;
  readonly path: string;
}

/**
 * The commit id and fingerprint of a request: derived when it carries a key, so that a repeat finds the first commit. The key
 * of a caller without a token counts with what is asked and from where, because all of them would share one scope: two that
 * chose the same key neither get each other's answer nor refuse each other.
 */
export function commitOf(key: string | undefined, scope: KeyScope, body: string, ids: Ids): Call['commit'] {
  const { school, client, subject, address, operation, method, path } = scope;
  if (key === undefined) return { commitId: ids.next('commit').slice('commit_'.length), fingerprint: '' };
  const fingerprint = hash('sha256', JSON.stringify([method, path, body]), 'base64url');
  const asked = address === undefined ? [] : [fingerprint, addressPartition(address)];
  return { commitId: uuidv5(school, client, subject, operation, path, key, ...asked), fingerprint };
}

/** Runs a keyed request alone: while it runs, another with the same key is 409 `idempotency_in_progress`. */
export async function alone<T>(
  ephemeral: Ephemeral,
  school: string,
  commitId: string,
  holder: string,
  run: () => Promise<T>,
): Promise<T> {
  const mark = `${school}:idempotency:${commitId}`;
  if (!(await ephemeral.putIfAbsent(mark, holder, running)))
    throw new Problem('idempotency_in_progress', undefined, { headers: { 'Retry-After': '1' } });
  try {
    return await run();
  } finally {
    await ephemeral.compareAndDelete(mark, holder).catch(() => false);
  }
}
