import type { KeyObject } from 'node:crypto';
import { type Bound, decrypt, deriveBytes, encrypt, opaqueKey } from './cipher.ts';

/** No key that this process was given opens what the store holds. */
export class WrappingKeyMissing extends Error {
  override readonly name = 'WrappingKeyMissing';
}

interface RootKey {
  readonly id: string;
  readonly key: KeyObject;
}

/**
 * Wraps school keys under a root key of the installation. Wrappings name their root key, so that a successor can take
 * over while its predecessors still open what they wrapped.
 */
export class Wrapping {
  readonly #current: RootKey;
  readonly #known: ReadonlyMap<string, RootKey>;

  /** 32 bytes each; the first wraps, all of them open. */
  constructor(rootKeys: readonly Uint8Array[]) {
    const roots = rootKeys.map((bytes): RootKey => {
      if (bytes.length !== 32) throw new TypeError('a wrapping key has 32 bytes');
      const id = deriveBytes(bytes, 'key-wrap/id', 6).toString('base64url');
      return { id, key: opaqueKey(deriveBytes(bytes, 'key-wrap')) };
    });
    const [current] = roots;
    if (!current) throw new TypeError('there must be a wrapping key');
    this.#current = current;
    this.#known = new Map(roots.map((root) => [root.id, root]));
  }

  wrap(bound: Bound, key: Uint8Array): string {
    const { id, key: root } = this.#current;
    return `${id}.${encrypt(root, ['wrapped', ...bound], key).toString('base64url')}`;
  }

  /** Throws `WrappingKeyMissing` when the root key is not known, or the wrapping is damaged. */
  unwrap(bound: Bound, wrapped: string): Buffer {
    const [id = '', text = ''] = wrapped.split('.', 2);
    const root = this.#known.get(id);
    if (!root)
      throw new WrappingKeyMissing(
        `the key store was written under another wrapping key (${id}): give it in KEY_ENCRYPTION_KEY or KEY_ENCRYPTION_KEY_PREVIOUS`,
      );
    const key = decrypt(root.key, ['wrapped', ...bound], Buffer.from(text, 'base64url'));
    if (!key) throw new WrappingKeyMissing('a wrapped key is damaged, or stands in a place that is not its own');
    return key;
  }

  /** Whether the first root key made this wrapping. */
  isCurrent(wrapped: string): boolean {
    return wrapped.startsWith(`${this.#current.id}.`);
  }
}
