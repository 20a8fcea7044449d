import { sameBytes } from '@lyceum/kernel';
import { createHmac, hkdfSync } from 'node:crypto';
import { z } from 'zod';

type RootKeys = readonly [Buffer, ...Buffer[]];

/** What a signed path lets whoever has it do: send the bytes of one upload, or read one file; of one school, for a while. */
export interface Permission {
  readonly to: 'send' | 'read';
  readonly school: string;
  readonly id: string;
  /** Bytes of the file. */
  readonly size: number;
  /** Seconds since the epoch. */
  readonly expires: number;
}

const wire = z.tuple([z.enum(['send', 'read']), z.string(), z.string(), z.int(), z.int()]);

const keyFrom = (root: Buffer): Buffer => Buffer.from(hkdfSync('sha256', root, '', 'lyceum/media/signed-path', 32));
const macOf = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/**
 * Signs and checks the last segment of paths below `/media`. Any service of the installation can, as it can open invitations;
 * nobody else can make or alter one, and replicas agree.
 */
export class SignedPaths {
  readonly #keys: readonly [Buffer, ...Buffer[]];

  /** The first key signs, the others are still good. */
  constructor([first, ...others]: RootKeys) {
    this.#keys = [keyFrom(first), ...others.map(keyFrom)];
  }

  sign({ to, school, id, size, expires }: Permission): string {
    const text = Buffer.from(JSON.stringify([to, school, id, size, expires])).toString('base64url');
    return `${text}.${macOf(this.#keys[0], text).toString('base64url')}`;
  }

  /** What a segment permits; undefined when it is not one of ours. Whether it has expired is for the reader to judge. */
  open(segment: string): Permission | undefined {
    const [text, mac, more] = segment.split('.', 3);
    if (text === undefined || mac === undefined || more !== undefined) return undefined;
    const given = Buffer.from(mac, 'base64url');
    // Only the one way to write the bytes is good, so that a path has no second form.
    if (given.toString('base64url') !== mac || !this.#keys.some((key) => sameBytes(macOf(key, text), given)))
      return undefined;
    const [to, school, id, size, expires] = wire.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
    return { to, school, id, size, expires };
  }
}
