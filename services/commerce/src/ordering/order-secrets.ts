import { createHmac, hash, hkdfSync } from 'node:crypto';

const digest = (secret: string): string => hash('sha256', secret, 'base64url');

/**
 * The secrets by which guests read their orders. They follow from the keys of the installation and the commit of the
 * order, so that a repeated checkout answers as the first time although only the hash is stored.
 */
export class OrderSecrets {
  readonly #keys: readonly Buffer[];

  /** The first of the root keys makes secrets; those of the others are known again. */
  constructor(rootKeys: readonly Buffer[]) {
    this.#keys = rootKeys.map((key) => Buffer.from(hkdfSync('sha256', key, '', 'order secrets', 32)));
  }

  /** The secret of an order that is placed with a commit, and its hash. */
  make(school: string, commitId: string): { readonly secret: string; readonly hash: string } {
    const [secret = ''] = this.#secrets(school, commitId);
    return { secret, hash: digest(secret) };
  }

  /** The secret again; undefined when it was made with a key that is gone. */
  again(school: string, commitId: string, hashed: string): string | undefined {
    return this.#secrets(school, commitId).find((secret) => digest(secret) === hashed);
  }

  #secrets(school: string, commitId: string): readonly string[] {
    const about = JSON.stringify([school, commitId]);
    return this.#keys.map((key) => createHmac('sha256', key).update(about).digest('base64url'));
  }
}

/** Whether a secret is the one with this hash. */
export const isOrderSecret = (given: string, hashed: string): boolean => digest(given) === hashed;
