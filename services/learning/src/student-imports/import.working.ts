import { Unavailable, execute, fold } from '@lyceum/eventlog';
import { isoTime, uuidv5 } from '@lyceum/kernel';
import { type ModulePorts, type Reaction, forgetOwn, heads } from '@lyceum/service';
import { type Deciding, Problem } from '@lyceum/web';
import { aFewAtATime, accessToGive, enrollMember } from '../enrolling/enrolling.ts';
import { seated } from '../enrolling/seat-waiting.ts';
import { memberWithAddress, standingOf } from '../enrolling/standing.ts';
import { type ImportEvent, type RowError, importEvents } from './import.events.ts';
import { keptRows } from './import.kept.ts';
import type { ImportRow } from './import.rows.ts';
import type { StudentImport } from './import.state.ts';
import { type ImportCommand, importDecider } from './import.ts';

type WorkingPorts = Pick<ModulePorts, 'log' | 'documents' | 'clock' | 'vault' | 'ask' | 'logger'>;

/** Rows that are worked on together: then others have their turn, and it is written down how far the import is. */
const batchSize = 50;

/** How long an import may take, milliseconds: its rows are personal. */
const patience = 7 * 24 * 60 * 60 * 1_000;

/** Milliseconds that a seat is waited for at a time. */
const seatPatience = 2_000;

/** An import at work. */
interface Working {
  readonly school: string;
  readonly id: string;
  readonly state: StudentImport;
}

type Advance = Extract<ImportEvent, { type: 'ImportAdvanced' }>['data'];

/** What came of one row. */
interface RowOutcome extends Pick<Advance, 'invited' | 'enrolled' | 'unchanged'> {
  readonly error?: RowError;
}

const command = (ports: WorkingPorts, { school, id }: Working, step: string, asked: ImportCommand) =>
  execute(ports.log, importDecider, {
    tenant: school,
    stream: id,
    command: asked,
    at: isoTime(ports.clock.now()),
    meta: { actor: 'system' },
    commitId: uuidv5('student-import', school, id, step),
  });

/** Whether the person who asked for the import runs the school still. */
async function isStillAllowed(ports: WorkingPorts, { school, state }: Working): Promise<boolean> {
  const by = (await standingOf(ports, school, [state.requested_by])).get(state.requested_by);
  return by?.status === 'active' && heads.includes(by.role);
}

/** Works on the next rows of an import. What fails for a while is thrown; repeated, nothing is done twice. */
async function advanceImport(ports: WorkingPorts, school: string, id: string): Promise<void> {
  const { state } = await fold(ports.log, importDecider, school, id);
  if (!state) return;
  if (state.status !== 'running') return forgetOwn(ports, school, id);
  const work = { school, id, state };
  const rows = await keptRows(ports.log, school, id);
  if (!rows || ports.clock.now() > Date.parse(state.created_at) + patience)
    return void (await command(ports, work, 'expire', { type: 'ExpireImport' }));
  if (!(await isStillAllowed(ports, work)))
    return void (await command(ports, work, 'cancel', { type: 'CancelImport', by: 'system' }));
  const batch = rows.slice(state.done, state.done + batchSize);
  const outcomes = await aFewAtATime(batch, (row) => workOn(ports, work, row));
  const advance = advanceOf(state.done + batch.length, outcomes);
  await command(ports, work, `advance ${state.done}`, { type: 'AdvanceImport', from: state.done, advance });
}

function advanceOf(done: number, outcomes: readonly RowOutcome[]): Advance {
  const sum = (of: 'invited' | 'enrolled' | 'unchanged'): number =>
    outcomes.reduce((total, outcome) => total + outcome[of], 0);
  const errors = outcomes.flatMap(({ error }) => error ?? []);
  return { done, invited: sum('invited'), enrolled: sum('enrolled'), unchanged: sum('unchanged'), errors };
}

/** A refusal of a row; what is none is thrown, so that the row is worked on again. */
function refusalIn(error: unknown): string {
  if (!(error instanceof Problem) || error.status >= 500) throw error;
  return error.details?.[0]?.code ?? error.code;
}

async function workOn(ports: WorkingPorts, { school, id, state }: Working, row: ImportRow): Promise<RowOutcome> {
  const { line, email, name } = row;
  const commit = uuidv5('student-import-row', school, id, line);
  const nothing = { invited: 0, enrolled: 0, unchanged: 0 };
  let person: Awaited<ReturnType<typeof memberWithAddress>>;
  try {
    const invitation = { email, ...(name === undefined ? {} : { name }), by: state.requested_by, commit };
    person = await memberWithAddress(ports, school, invitation);
  } catch (error) {
    return { ...nothing, error: { line, code: refusalIn(error) } };
  }
  let outcome: RowOutcome = { ...nothing, invited: person.invited ? 1 : 0 };
  for (const course_id of row.course_ids) {
    const came = await enrolled(ports, { school, state, commit }, person.member, course_id);
    if (typeof came !== 'string') outcome = { ...outcome, [came.as]: outcome[came.as] + 1 };
    // One error for each row: the first.
    else outcome = { ...outcome, error: outcome.error ?? { line, code: came, course_id } };
  }
  return outcome;
}

/** What an enrollment counts as, or the code why there is none. */
async function enrolled(
  ports: WorkingPorts,
  { school, state, commit }: Pick<Working, 'school' | 'state'> & { readonly commit: string },
  member: string,
  course_id: string,
): Promise<{ readonly as: 'enrolled' | 'unchanged' } | string> {
  const call: Deciding = {
    school,
    at: isoTime(ports.clock.now()),
    meta: { actor: state.requested_by },
    commit: { commitId: uuidv5(commit, course_id), fingerprint: '' },
    expected: undefined,
  };
  try {
    const access = await accessToGive(ports, call, course_id, state.expires_at);
    const decided = await enrollMember(call, ports, member, access);
    const { done, isWaiting } = await seated(call, ports, decided, 'staff', performance.now() + seatPatience);
    // Repeated, nothing is written twice: who has a seat is found then.
    if (isWaiting) throw new Unavailable('the seats of a course that is imported into are not given yet');
    return { as: done.events.length > 0 ? 'enrolled' : 'unchanged' };
  } catch (error) {
    const code = refusalIn(error);
    return code === 'already_granted' ? { as: 'unchanged' } : code;
  }
}

/**
 * Works on imports, a few rows for each event: an event of an import asks for its next rows, and writing down that they are
 * done is the next event. A crash anywhere repeats at most those rows, whose commits have ids that follow from the row.
 */
export const workingReaction: Reaction = {
  name: 'student-imports',
  events: Object.keys(importEvents),
  perform: ({ tenant, stream }, ports) => advanceImport(ports, tenant, stream),
};
