import { type Database, openDatabase } from '@lyceum/sqlite';
import { copyFile, link, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { openEpoch } from '../sqlite/log-epoch.ts';
import { faultsIn } from '../log-check.ts';
import { LogFileDamaged } from '../sqlite/log-file.ts';
import { sqliteEventLog } from '../sqlite/sqlite.ts';
import { openSchema } from '../sqlite/schema.ts';
import { SqliteStore } from '../sqlite/sqlite-store.ts';
import type { StoredCommit } from '../storage/store.ts';
import { type Lost, type RepairPlan, planOf } from './plan.ts';
import { Salvage } from './salvage.ts';

/** A damaged log's file, and what may be done about it. */
export interface RepairRequest {
  readonly file: string;
  /** Another copy of the same log, e.g. of a backup: what it has at a hole between the same neighbours is put back. */
  readonly copy?: string | undefined;
  /** What is done about commits that are in neither. Without it nothing is given up. */
  readonly lost?: Lost | undefined;
}

/** What was, or would be, done. */
export type Repair = Omit<RepairPlan, 'commitsOf'>;

/** Commits that are written at once. */
const batch = 256;

/**
 * Tells what a repair would do. Changes nothing but that the engine writes what is in the WAL into the file. Throws
 * `AlreadyRunning` while a process has the log, `Corrupted` when nothing of it can be read.
 */
export async function planRepair(request: RepairRequest): Promise<Repair> {
  const opened = await openBoth(request);
  try {
    return reportOf(opened.plan);
  } finally {
    await opened.close();
  }
}

/** Whether a repair would give nothing up that it was not reportOf to. */
export const isWhole = ({ holes, unplaced }: Repair, lost: Lost | undefined): boolean =>
  holes.every(({ remedy }) => remedy !== undefined) && (unplaced === 0 || lost !== undefined);

/**
 * Writes the log anew, as the plan says, beside the damaged file, reads it through, and puts it in its place; the damaged file
 * stays as `kept`. Everything that was readable and is not behind a cut is in it. When positions come to mean other commits
 * the log goes on in another epoch, so that every reader begins anew. Throws `LogFileDamaged` when there is a hole without a
 * remedy, and what `planRepair` throws; the file is as it was then.
 */
export async function repairLogFile(
  request: RepairRequest,
  stamp: string,
): Promise<Repair & { readonly kept: string }> {
  const { file, lost } = request;
  const [anew, kept] = [`${file}.repaired`, `${file}.damaged-${stamp}`];
  const opened = await openBoth(request);
  const plan = reportOf(opened.plan);
  try {
    if (!isWhole(plan, lost))
      throw new LogFileDamaged('commits are lost, and nothing was said about what to do about them');
    await remove(anew);
    await writeAnew(anew, opened.database, opened.plan);
    await readThrough(anew);
  } catch (error) {
    await remove(anew);
    throw error;
  } finally {
    await opened.close();
  }
  await replace(file, anew, kept);
  return { ...plan, kept };
}

const reportOf = ({ holes, unplaced, isNewEpoch, torn }: RepairPlan): Repair => ({ holes, unplaced, isNewEpoch, torn });

async function openBoth({ file, copy, lost }: RepairRequest) {
  const database = await openDatabase(file, { durable: true });
  // The engine may write to what it opens, and a backup stays as it is.
  const copied = copy === undefined ? undefined : `${file}.copy`;
  let other: Database | undefined;
  const close = async () => {
    other?.close();
    database.close();
    if (copied) await remove(copied);
  };
  try {
    if (copied) await copyFile(copy!, copied);
    if (copied) other = await openDatabase(copied, { durable: false });
    const plan = planOf(new Salvage(database), other && new Salvage(other), lost);
    return { database, plan, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function writeAnew(file: string, damaged: Database, plan: RepairPlan): Promise<void> {
  const { lanes } = damaged.prepare<{ lanes: number }>('SELECT lanes FROM log').get()!;
  const database = await openDatabase(file, { durable: true });
  openSchema(database, lanes);
  openEpoch(database);
  const epoch = plan.isNewEpoch ? undefined : epochOf(damaged);
  if (epoch !== undefined) database.prepare('UPDATE incarnation SET name = ?').run(epoch);
  const store = new SqliteStore(database, lanes);
  try {
    for (let lane = 0; lane < lanes; lane += 1) {
      let some: StoredCommit[] = [];
      for (const commit of plan.commitsOf(lane)) if (some.push(commit) === batch) some = written(store, some);
      written(store, some);
    }
  } finally {
    store.close();
  }
}

/** The epoch of a log that has a name for it. */
function epochOf(database: Database): string | undefined {
  try {
    return database.prepare<{ name: string }>('SELECT name FROM incarnation').get()?.name;
  } catch {
    return undefined;
  }
}

function written(store: SqliteStore, commits: readonly StoredCommit[]): StoredCommit[] {
  if (commits.length === 0) return [];
  store.begin();
  for (const commit of commits) store.insert(commit);
  store.write();
  store.commit();
  return [];
}

async function readThrough(file: string): Promise<void> {
  const log = await sqliteEventLog({ file });
  try {
    const [fault] = await faultsIn(log, { most: 1 });
    if (fault) throw new LogFileDamaged(`the log that was written anew has a fault at ${fault.lane}/${fault.position}`);
  } finally {
    await log.close();
  }
}

/** Two renames: a process that starts between them finds no log, or has the damaged one open, which is noticed. */
async function replace(file: string, anew: string, kept: string): Promise<void> {
  await rename(file, kept);
  try {
    (await openDatabase(kept, { durable: true })).close();
  } catch (error) {
    await rename(kept, file);
    await remove(anew);
    throw error;
  }
  // Not a rename: nothing that was made there meanwhile is overwritten.
  await link(anew, file);
  await remove(anew);
  const folder = await open(dirname(file), 'r');
  await folder.sync().finally(() => folder.close());
}

const remove = async (file: string): Promise<void> => {
  for (const each of [file, `${file}-wal`, `${file}-shm`]) await rm(each, { force: true });
};
