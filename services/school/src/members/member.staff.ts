import { type Append, type EventLog, fold, capabilitiesOf } from '@lyceum/eventlog';
import { type EventContext, type Rejection, isRejection } from '@lyceum/kernel';
import type { MemberEvent } from './member.events.ts';
import { type MemberState, evolve } from './member.state.ts';
import { member } from './member.ts';
import { type StaffCode, type Standing, runsSchool, staff, staffStream } from '../staff/staff.ts';

/** The staff has said no, so nothing was written. */
export class RefusedByStaff extends Error {
  override readonly name = 'RefusedByStaff';
  readonly rejection: Rejection<StaffCode>;

  constructor(rejection: Rejection<StaffCode>) {
    super(rejection.reason);
    this.rejection = rejection;
  }
}

/** Events that nobody has to allow: they change neither role nor status. */
const free: ReadonlySet<string> = new Set(['MemberChanged', 'MemberReaddressed', 'InvitationRenewed']);

/** The platform lets people join who run nothing: the staff neither has a say in that nor changes by it. */
const isFree = ({ type, data }: MemberEvent, by: string | undefined): boolean =>
  free.has(type) ||
  (by === undefined && (type === 'MemberJoined' || type === 'MemberInvited') && !runsSchool(data.role));

const standingOf = (state: MemberState): Standing | undefined =>
  state && state.status !== 'erased' ? { role: state.role, active: state.status === 'active' } : undefined;

/**
 * The log, where each commit that changes a member's standing has the staff's consent and its events, at the version of
 * the staff's stream at which it was given. `by`: the member who asks; undefined = the platform.
 * An append throws `RefusedByStaff`, or `ConcurrencyConflict` when the staff has changed meanwhile.
 */
export const guardedByStaff = (log: EventLog, by: string | undefined, erased = false): EventLog => ({
  ...capabilitiesOf(log),
  laneOf: (tenant) => log.laneOf(tenant),
  load: (...what) => log.load(...what),
  find: (...what) => log.find(...what),
  append: async (append) => log.append(await withConsent(log, append, by, erased)),
  readLane: (...where) => log.readLane(...where),
  head: (lane) => log.head(lane),
  wake: (listener) => log.wake(listener),
  close: () => log.close(),
});

async function withConsent(log: EventLog, append: Append, by: string | undefined, erased: boolean): Promise<Append> {
  const { tenant, expectations, events, at } = append;
  const { stream } = expectations[0]!;
  const own = events.filter((event) => event.stream === stream) as unknown as readonly MemberEvent[];
  if (own.every((event) => isFree(event, by))) return append;
  const { state: before, version } = await fold(log, member, tenant, stream);
  const context = (index: number): EventContext => ({ at, version: version + index + 1 });
  const after = own.reduce<MemberState>((state, event, index) => evolve(state, event, context(index)), before);
  const gathered = await fold(log, staff, tenant, staffStream);
  const standings = { before: standingOf(before), after: standingOf(after) };
  const decision = staff.decide({ by, member: stream, ...standings, erased }, gathered.state);
  if (isRejection(decision)) throw new RefusedByStaff(decision);
  return {
    ...append,
    expectations: [...expectations, { stream: staffStream, version: gathered.version }],
    events: [...events, ...decision.map((event) => ({ ...event, stream: staffStream, schema: 1 }))],
  };
}
