import { codeOf, messageOf } from '@lyceum/kernel';
import {
  Corrupted,
  type Hole,
  LogFileDamaged,
  LogUnfit,
  type Repair,
  isWhole,
  planRepair,
  repairLogFile,
} from '@lyceum/eventlog';
import { AlreadyRunning } from '@lyceum/sqlite';
import { join } from 'node:path';
import type { Arguments } from './arguments.ts';
import { StartRefused } from '@lyceum/service';
import type { ProcessSettings } from '../settings/settings.ts';
import { exists, places, refuseHalfRestored, servicesOf } from '@lyceum/operations';

type Asked = NonNullable<Arguments['repair']>;

/** The state of the logs after a repair, as lines for a person, and whether they are whole. */
interface RepairReport {
  readonly lines: readonly string[];
  readonly isWhole: boolean;
}

/**
 * Says what can be done about damaged and missing commits of the logs in the data folder; with `apply`, does it. Refused while a
 * process has them. Nothing is given up unless `lost` says so, and every damaged file stays.
 */
export async function repairLogCommand(settings: ProcessSettings, asked: Asked): Promise<RepairReport> {
  const { DATA_DIR, MONGODB_URL } = settings;
  if (MONGODB_URL !== undefined)
    throw new StartRefused(
      'The logs are in MongoDB: log check names the commits, put their documents back from a backup of it',
      [
        '  When they are in none, restore the log to a moment before, and delete the document in its collection `incarnation`',
      ],
    );
  await refuseHalfRestored(DATA_DIR);
  const lines: string[] = [];
  let whole = true;
  for (const service of await servicesOf(DATA_DIR)) {
    const report = await repairOf(service, settings, asked);
    lines.push(...report.lines);
    whole &&= report.isWhole;
  }
  return { lines, isWhole: whole };
}

async function repairOf(
  service: string,
  { DATA_DIR }: ProcessSettings,
  { from, lost, apply }: Asked,
): Promise<RepairReport> {
  const file = join(DATA_DIR, places.log(service));
  const copy = from === undefined ? undefined : join(from, places.log(service));
  if (copy !== undefined && !(await exists(copy))) throw new StartRefused(`${from} has no log of ${service}`);
  const request = { file, copy, lost };
  try {
    const plan = await planRepair(request);
    if (plan.holes.length + plan.unplaced === 0)
      return { lines: [`The event log of ${service} is whole.`], isWhole: true };
    const lines = toldPlan(service, plan);
    if (!apply) return { lines: [...lines, ...next(plan, { from, lost })], isWhole: false };
    const { kept } = await repairLogFile(request, new Date().toISOString().replaceAll(/[:.]/g, '-'));
    return {
      lines: [...lines, `Done. The damaged file is ${kept}: keep it until you are sure that nothing is missing.`],
      isWhole: true,
    };
  } catch (error) {
    throw refusalOf(error, service, DATA_DIR);
  }
}

function toldPlan(service: string, { holes, unplaced, isNewEpoch, torn }: Repair): string[] {
  const lines = [`The event log of ${service}:`, ...holes.map(toldHole)];
  if (unplaced > 0)
    lines.push(`  ${unplaced} damaged lines do not say where they were: the ends of some lanes may be gone`);
  for (const { tenant, stream, from, to } of torn)
    lines.push(`  ${tenant} ${stream} will lack version ${from === to ? from : `${from} to ${to}`}`);
  if (isNewEpoch) lines.push('  It goes on in another epoch: read models are built anew, and every reader begins anew');
  return lines;
}

const remedies = {
  restore: 'put back from the copy',
  mark: 'marked as lost, and the lane goes on after it',
} as const;

function toldHole({ lane, from, to, reason, remedy, behind }: Hole): string {
  const what = `  lane ${lane}, position ${from === to ? from : `${from} to ${to}`}: ${reason}`;
  if (remedy === undefined) return `${what}; in no copy that was given`;
  return `${what}; ${remedy === 'cut' ? `cut off, with ${behind} commits after it` : remedies[remedy]}`;
}

function next(plan: Repair, { from, lost }: Omit<Asked, 'apply'>): string[] {
  const flags = [from === undefined ? '' : ` --from=${from}`, lost === undefined ? '' : ` --lost=${lost}`].join('');
  if (isWhole(plan, lost)) return ['Nothing was changed. To do this:', `  log repair${flags} --apply`];
  return [
    'Nothing was changed, and nothing will be while commits are lost. Look for them first:',
    '  log repair --from=<folder>   with another backup',
    '  log repair --lost=mark       goes on without them, and says what will lack something',
    '  log repair --lost=cut        goes back to before them',
  ];
}

function refusalOf(error: unknown, service: string, folder: string): unknown {
  if (error instanceof AlreadyRunning)
    return new StartRefused(`${folder} is in use`, [
      '  Stop the process first: a log is not repaired while it is written',
    ]);
  const isUnreadable = String(codeOf(error)).startsWith('SQLITE_');
  if (error instanceof Corrupted || isUnreadable)
    return new StartRefused(`The event log of ${service}: ${messageOf(error)}`, ['  Restore it from a backup.']);
  if (error instanceof LogFileDamaged || error instanceof LogUnfit)
    return new StartRefused(`The event log of ${service}: ${error.message}`);
  return error;
}
