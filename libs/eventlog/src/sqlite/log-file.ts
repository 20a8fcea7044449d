import { type Database, openDatabase } from '@lyceum/sqlite';
import { beginEpoch } from './log-epoch.ts';
import { faultsIn } from '../log-check.ts';
import type { EventLog } from '../port.ts';
import { sqliteEventLog } from './sqlite.ts';

/** How far a log goes, and in which life. */
export interface LogState {
  readonly lanes: number;
  /** The log epoch, by the name that it has in manifests of backups. */
  readonly incarnation: string;
  /** The newest position of each lane; 0 when it is empty. */
  readonly heads: readonly number[];
}

/** A log's file does not hold what it should. `message` says what is wrong. */
export class LogFileDamaged extends Error {
  override readonly name = 'LogFileDamaged';
}

/** Where an embedded log stands at the moment of the call, even if it resolves later. */
export async function stateOf(log: EventLog): Promise<LogState> {
  const heads = Promise.all(Array.from({ length: log.lanes }, (_, lane) => log.head(lane)));
  return { lanes: log.lanes, incarnation: log.epoch ?? '', heads: await heads };
}

/**
 * Makes a copied file the log of a new epoch: checks that every lane is contiguous, from its first commit to the head that
 * it must have, and gives the log another epoch. Throws `LogFileDamaged`; the file is then of no use.
 */
export async function reviveLogFile(file: string, expected: LogState): Promise<LogState> {
  let database: Database | undefined;
  const open = async (path: string) => (database = await openDatabase(path, { durable: true }));
  const log = await sqliteEventLog({ file, open });
  try {
    const found = await stateOf(log);
    for (const what of ['lanes', 'incarnation', 'heads'] as const)
      if (JSON.stringify(found[what]) !== JSON.stringify(expected[what]))
        throw new LogFileDamaged(`its ${what} are not as they were written down`);
    const [fault] = await faultsIn(log, { most: 1 });
    if (fault) throw new LogFileDamaged(`position ${fault.position} of its lane ${fault.lane} is ${fault.reason}`);
    beginEpoch(database!);
  } finally {
    await log.close();
  }
  const revived = await sqliteEventLog({ file });
  try {
    return await stateOf(revived);
  } finally {
    await revived.close();
  }
}
