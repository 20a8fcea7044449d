import { isoTime } from '@lyceum/kernel';
import type { ModulePorts } from '../module.ts';
import { writeErasure } from '../publishing/erasure-fact.ts';

/**
 * Destroys the key of something that no other service knows of, and records that in the log: a key store restored from a
 * backup loses it again. The slice says by `isPrivate` that the record is not published. May be repeated; cut off in between,
 * the next start completes it.
 */
export async function forgetOwn(
  { log, clock, vault }: Pick<ModulePorts, 'log' | 'clock' | 'vault'>,
  school: string,
  subject: string,
): Promise<void> {
  if ((await vault.keyStatus(school, subject)) === undefined) return;
  await vault.destroy(school, subject);
  await writeErasure(log, { school, subject, meta: { actor: 'system' }, at: isoTime(clock.now()) });
  await vault.markReported(school, subject);
}
