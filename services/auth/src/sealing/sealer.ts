import { decrypt, encrypt, sameBytes } from '@lyceum/kernel';
import { type KeyObject, createHmac, hkdfSync } from 'node:crypto';

/** What a sealed text is for; each purpose has a key of its own, so one kind never opens as another. */
export type Purpose = 'signing-key' | 'interaction' | 'csrf' | 'link' | 'device';

/** Keeps texts secret and unaltered outside this process. */
export interface Sealer {
  /** Encrypts. `bound` is what must be the same when it is opened: it is authenticated, not stored. */
  seal(purpose: Purpose, bound: readonly string[], text: string): string;
  /** The text; undefined when it was altered, cut, sealed for something else or bound to something else. */
  open(purpose: Purpose, bound: readonly string[], sealed: string): string | undefined;
  /** A tag that only this service can make for these parts. */
  tag(purpose: Purpose, parts: readonly string[]): string;
  /** Whether a tag belongs to these parts. Constant time. */
  tagged(purpose: Purpose, parts: readonly string[], tag: string): boolean;
}

/**
 * A sealer with AES-256-GCM and HMAC-SHA-256 under keys derived (HKDF) from a 32-byte key. What was sealed or tagged under
 * a predecessor of the key is good as well.
 */
export function sealerOf(key: Uint8Array | KeyObject, ...previous: readonly Uint8Array[]): Sealer {
  const current = sealerUnder(key);
  const all = [current, ...previous.map(sealerUnder)];
  return {
    ...current,
    open(purpose, bound, sealed) {
      for (const each of all) {
        const text = each.open(purpose, bound, sealed);
        if (text !== undefined) return text;
      }
      return undefined;
    },
    tagged: (purpose, parts, tag) => all.some((each) => each.tagged(purpose, parts, tag)),
  };
}

/** The bytes of a text that `toString('base64url')` wrote; undefined of another spelling of the same bytes. */
function spelt(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
}

function sealerUnder(key: Uint8Array | KeyObject): Sealer {
  const keys = new Map<string, Buffer>();
  const keyFor = (use: 'seal' | 'tag', purpose: Purpose): Buffer => {
    const info = `lyceum/auth/${use}/${purpose}`;
    const derived = keys.get(info) ?? Buffer.from(hkdfSync('sha256', key, '', info, 32));
    keys.set(info, derived);
    return derived;
  };
  const tag = (purpose: Purpose, parts: readonly string[]): Buffer =>
    createHmac('sha256', keyFor('tag', purpose)).update(JSON.stringify(parts)).digest();
  return {
    seal: (purpose, bound, text) => encrypt(keyFor('seal', purpose), JSON.stringify(bound), text).toString('base64url'),
    open(purpose, bound, sealed) {
      const bytes = spelt(sealed);
      return bytes && decrypt(keyFor('seal', purpose), JSON.stringify(bound), bytes)?.toString('utf8');
    },
    tag: (purpose, parts) => tag(purpose, parts).toString('base64url'),
    tagged(purpose, parts, given) {
      const bytes = spelt(given);
      return bytes !== undefined && sameBytes(tag(purpose, parts), bytes);
    },
  };
}
