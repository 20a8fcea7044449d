import { EphemeralUnavailable } from '@lyceum/ephemeral';
import type { Ports } from '@lyceum/web';
import { createHash } from 'node:crypto';

/** Milliseconds in which the same text is the same again. */
const window = 600_000;

/**
 * Whether the same texts were sent to the same place a short time ago. `about`: to what, and by whom where that is known. What is
 * kept of them is a hash, and nothing when the store is away: then nothing is a repetition.
 */
export async function isRepetition(
  { ephemeral }: Pick<Ports, 'ephemeral'>,
  school: string,
  about: readonly string[],
  texts: readonly string[],
): Promise<boolean> {
  const spoken = texts.map((text) => text.normalize('NFKC').toLowerCase().replaceAll(/\s+/gu, ' ').trim());
  const digest = createHash('sha256')
    .update(JSON.stringify([about, spoken]))
    .digest('base64url');
  try {
    return !(await ephemeral.putIfAbsent(`${school}:written:${digest}`, '1', window));
  } catch (error) {
    if (error instanceof EphemeralUnavailable) return false;
    throw error;
  }
}
