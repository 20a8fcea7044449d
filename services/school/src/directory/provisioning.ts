import { ConcurrencyConflict, type Executed, execute, fold } from '@lyceum/eventlog';
import { type Meta, type Rejection, isRejection, isoTime, uuidv5 } from '@lyceum/kernel';
import type { Ports } from '@lyceum/web';
import { schoolDecider } from '../school/school.ts';
import { arrivalDecider, arrivalStream } from '../arrival/arrival.ts';
import {
  type EntryCommand,
  type EntryRejection,
  type EntryState,
  entryDecider,
  entryStream,
  platformTenant,
} from './entry.ts';

type ProvisioningPorts = Pick<Ports, 'log' | 'clock'>;

/** Who asks, and under which commit id. */
export interface Asked {
  readonly meta: Meta;
  readonly commit: { readonly commitId: string; readonly fingerprint?: string };
}

const system: Meta = { actor: 'system' };

/** Writes to the directory: the slug and the host are the school's own from here on, or somebody else's. */
export function enter(
  { log, clock }: ProvisioningPorts,
  id: string,
  command: Exclude<EntryCommand, { type: 'SettleSchool' }>,
  { meta, commit }: Asked,
): Promise<Executed<EntryState> | Rejection<EntryRejection>> {
  const at = isoTime(clock.now());
  return execute(log, entryDecider, { tenant: platformTenant, stream: entryStream(id), command, at, meta, ...commit });
}

/**
 * Tells the school's own tenant what the directory knows, then marks the entry as settled. Every commit id is derived
 * from the entry's version, so it may be repeated from anywhere it stopped; a move that comes in between is target too. A school that is still arriving
 * is left alone.
 */
export async function settle({ log, clock }: ProvisioningPorts, id: string): Promise<void> {
  for (;;) {
    const { state, version } = await fold(log, entryDecider, platformTenant, entryStream(id));
    if (!state || state.settled) return;
    const arriving = await fold(log, arrivalDecider, id, arrivalStream);
    if (arriving.state?.complete === false) return;
    const { school: _, settled: __, ...profile } = state;
    const { host, base_url } = profile;
    const target = { tenant: id, stream: id, at: isoTime(clock.now()), meta: system };
    // What came with the school was settled elsewhere, at the same versions of another entry.
    const departures = arriving.state ? [arriving.state.departure] : [];
    const commitId = (step: string) => uuidv5('school-directory', step, id, version, ...departures);
    await done(
      execute(log, schoolDecider, {
        ...target,
        command: { type: 'ProvisionSchool', profile },
        commitId: commitId('provision'),
      }),
    );
    await done(
      execute(log, schoolDecider, {
        ...target,
        command: { type: 'MoveSchool', host, base_url },
        commitId: commitId('move'),
      }),
    );
    const at = target.at;
    const stream = entryStream(id);
    const settling = { tenant: platformTenant, stream, command: { type: 'SettleSchool' }, at, meta: system } as const;
    try {
      await done(execute(log, entryDecider, { ...settling, commitId: commitId('settle'), expected: [version] }));
    } catch (error) {
      if (!(error instanceof ConcurrencyConflict)) throw error;
    }
  }
}

/** Nothing in settling can be refused: the directory has decided before. */
async function done(outcome: Promise<Executed<unknown> | Rejection>): Promise<void> {
  const result = await outcome;
  if (isRejection(result)) throw new Error(`settling was refused: ${result.rejected} (${result.reason})`);
}
