import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

const form = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})-([A-Za-z0-9_-]{43})$/;

/**
 * Codes that name things of schools to whoever was given one. They follow from the keys of the installation and the id of
 * the thing, a UUID, so that nothing is stored, and nobody finds one by knowing an id.
 */
export class UnguessableCodes {
  readonly #keys: readonly Buffer[];

  /** The first of the root keys makes codes; those of the others are known again. `purpose`: codes of one are none of another. */
  constructor(rootKeys: readonly Buffer[], purpose: string) {
    this.#keys = rootKeys.map((key) => Buffer.from(hkdfSync('sha256', key, '', purpose, 32)));
  }

  /** The code of a thing of a school. */
  codeOf(school: string, uuid: string): string {
    const [code = ''] = this.#codes(school, uuid);
    return code;
  }

  /** The UUID that a code is of; undefined when it is none of this school. */
  uuidOf(school: string, code: string): string | undefined {
    const uuid = form.exec(code)?.[1];
    if (uuid === undefined) return undefined;
    const given = Buffer.from(code);
    return this.#codes(school, uuid).some((known) => timingSafeEqual(Buffer.from(known), given)) ? uuid : undefined;
  }

  #codes(school: string, uuid: string): readonly string[] {
    const about = JSON.stringify([school, uuid]);
    return this.#keys.map((key) => `${uuid}-${createHmac('sha256', key).update(about).digest('base64url')}`);
  }
}
