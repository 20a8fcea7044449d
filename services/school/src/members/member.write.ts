import { type Executed, execute } from '@lyceum/eventlog';
import { type Meta, type Rejection, isoTime } from '@lyceum/kernel';
import type { Deciding, Ports } from '@lyceum/web';
import { type MemberCode, type MemberCommand, member } from './member.ts';
import type { MemberState } from './member.state.ts';
import { RefusedByStaff, guardedByStaff } from './member.staff.ts';
import type { StaffCode } from '../staff/staff.ts';

/** Why nothing was written. */
export type MemberRefusal = MemberCode | StaffCode;

/** What came of a command. */
export type Outcome = Executed<MemberState> | Rejection<MemberRefusal>;

/** Who asks: a member by id, or the platform, which may do what no member may. `erased`: the person is gone already. */
export interface Asking {
  readonly by: string | undefined;
  readonly erased?: boolean;
}

type Writing = Omit<Deciding, 'expected'> & Partial<Pick<Deciding, 'expected'>>;

/** Decides a command about a member and writes it, with the staff's consent, in one commit. Throws what `execute` throws. */
export async function decideMember(
  { log }: Pick<Ports, 'log'>,
  { school: tenant, at, meta, commit, expected }: Writing,
  stream: string,
  command: MemberCommand,
  { by, erased = false }: Asking,
): Promise<Outcome> {
  const request = { tenant, stream, command, at, meta, ...commit };
  try {
    const guarded = guardedByStaff(log, by, erased);
    return await execute(guarded, member, expected === undefined ? request : { ...request, expected });
  } catch (error) {
    if (error instanceof RefusedByStaff) return error.rejection;
    throw error;
  }
}

const system: Meta = { actor: 'system' };

/** What the platform does by itself: `commitId` is derived from what it follows, so a repeat is written once. */
export const decideForPlatform = (
  ports: Pick<Ports, 'log' | 'clock'>,
  school: string,
  stream: string,
  command: MemberCommand,
  commitId: string,
  { at = isoTime(ports.clock.now()), erased = false }: { readonly at?: string; readonly erased?: boolean } = {},
): Promise<Outcome> =>
  decideMember(ports, { school, at, meta: system, commit: { commitId, fingerprint: '' } }, stream, command, {
    by: undefined,
    erased,
  });

/** From when on tokens count again: the next whole second, because a token says its time in whole seconds. */
export const notBefore = (now: number): string => isoTime(Math.floor(now / 1000 + 1) * 1000);
