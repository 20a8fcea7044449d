import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

/** What a sealed text is for; each purpose has a key of its own, so one kind never opens as another. */
export type Purpose = 'signing-key' | 'interaction' | 'csrf' | 'refresh-answer' | 'link' | 'device';

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

const algorithm = 'aes-256-gcm';
const [ivBytes, tagBytes] = [12, 16];

/**
 * A sealer with AES-256-GCM and HMAC-SHA-256 under keys derived (HKDF) from a 32-byte key. What was sealed or tagged under
 * a predecessor of the key is good as well.
 */
export function sealerOf(key: Uint8Array, ...previous: readonly Uint8Array[]): Sealer {
  const [current, ...before] = [key, ...previous].map(sealerUnder) as [Sealer, ...Sealer[]];
  if (before.length === 0) return current;
  const all = [current, ...before];
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

function sealerUnder(key: Uint8Array): Sealer {
  const derive = (info: string) => Buffer.from(hkdfSync('sha256', key, '', `lyceum/auth/${info}`, 32));
  const purposes: readonly Purpose[] = ['signing-key', 'interaction', 'csrf', 'refresh-answer', 'link', 'device'];
  const keys = new Map(purposes.flatMap((each) => [`seal/${each}`, `tag/${each}`].map((info) => [info, derive(info)])));
  const tag = (purpose: Purpose, parts: readonly string[]): Buffer =>
    createHmac('sha256', keys.get(`tag/${purpose}`)!)
      .update(JSON.stringify(parts))
      .digest();
  return {
    seal: (purpose, bound, text) => encrypt(keys.get(`seal/${purpose}`)!, JSON.stringify(bound), text),
    open: (purpose, bound, sealed) => decrypt(keys.get(`seal/${purpose}`)!, JSON.stringify(bound), sealed),
    tag: (purpose, parts) => tag(purpose, parts).toString('base64url'),
    tagged(purpose, parts, given) {
      const [mine, theirs] = [tag(purpose, parts), Buffer.from(given, 'base64url')];
      return mine.length === theirs.length && timingSafeEqual(mine, theirs);
    },
  };
}

function encrypt(key: Buffer, bound: string, text: string): string {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv(algorithm, key, iv).setAAD(Buffer.from(bound));
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url');
}

function decrypt(key: Buffer, bound: string, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  if (bytes.length < ivBytes + tagBytes) return undefined;
  const [iv, tag] = [bytes.subarray(0, ivBytes), bytes.subarray(ivBytes, ivBytes + tagBytes)];
  const decipher = createDecipheriv(algorithm, key, iv, { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(bound)).setAuthTag(tag);
  try {
    return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}
