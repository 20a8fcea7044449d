import { alreadyHas } from '@lyceum/web';
import { type KeyRing, isComplete, published } from '../domain/keys/key-ring.ts';
import type { Reply, Step } from '../http/exchange/exchange.ts';
import { sha256 } from '../sealing/digest.ts';

interface KeySet {
  readonly tag: string;
  readonly body: string;
}

/** A ring is the same object until it changes, so its text is written once. */
const written = new WeakMap<KeyRing, KeySet>();

function keySetOf(ring: KeyRing): KeySet {
  const known = written.get(ring);
  if (known) return known;
  const body = JSON.stringify({ keys: published(ring).map(({ publicJwk }) => publicJwk) });
  const keySet = { body, tag: sha256(body) };
  written.set(ring, keySet);
  return keySet;
}

/**
 * The public keys of the school, as JSON. Others may keep them for five minutes; 304 says that what they have is still all
 * there is. An RS256 key is made with the first ID token that needs it: until then they ask each time, and a verifier that
 * meets an unknown `kid` finds it here. Not counted: it is a text in memory that costs less than a count would, and to
 * refuse it would leave everybody behind an address unable to judge tokens.
 * @see RFC 7517 §5, RFC 9110 §13.1.2, OpenID Connect Core 1.0 §10.1.1
 */
export const answerJwks: Step = async (exchange) => {
  const ring = await exchange.ports.keys.shown(exchange.school.id);
  const { tag, body } = keySetOf(ring);
  const kept = { 'Cache-Control': isComplete(ring) ? 'public, max-age=300' : 'no-cache', ETag: `"${tag}"` };
  const reply: Reply = alreadyHas(exchange.request.headers['if-none-match'] ?? '', tag)
    ? { status: 304, headers: kept }
    : { status: 200, headers: { ...kept, 'Content-Type': 'application/jwk-set+json' }, body };
  exchange.reply = reply;
};
