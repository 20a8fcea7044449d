import { type Executed, execute, fold } from '@lyceum/eventlog';
import { type Meta, type Rejection, isoTime } from '@lyceum/kernel';
import { imageOf } from '@lyceum/service';
import type { Call, Deciding, Ports } from '@lyceum/web';
import type { changeMemberBody, memberParams } from './member.schema.ts';
import { type MemberRefusal, type StaffedCommand, needsStaff, staffedMemberDecider } from './member.staff.ts';
import type { MemberState } from './member.state.ts';
import { type MemberCommand, memberDecider } from './member.ts';
import { staffDecider, staffStream } from '../staff/staff.ts';

/** What came of a command. */
export type Outcome = Executed<MemberState> | Rejection<MemberRefusal>;

type Asking = Pick<StaffedCommand, 'by'> & Partial<Pick<StaffedCommand, 'erased'>>;

type Writing = Omit<Deciding, 'expected'> & Partial<Pick<Deciding, 'expected'>>;

/**
 * Decides a command about a member, with the staff's consent as of now, and writes it with the events of the staff in one
 * commit. Throws what `execute` throws.
 */
export async function decideMember(
  { log }: Pick<Ports, 'log'>,
  { school: tenant, at, meta, commit, expected }: Writing,
  stream: string,
  command: MemberCommand,
  { by, erased = false }: Asking,
): Promise<Outcome> {
  const asked = { member: stream, command, by, erased };
  const withStaff = async () => {
    if (!needsStaff(command)) return { command: { ...asked, staff: staffDecider.initial }, expectedVersions: [] };
    const { state, version } = await fold(log, staffDecider, tenant, staffStream);
    return { command: { ...asked, staff: state }, expectedVersions: [{ stream: staffStream, version }] };
  };
  const request = { tenant, stream, command: withStaff, at, meta, ...commit };
  return execute(log, staffedMemberDecider, expected === undefined ? request : { ...request, expected });
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

/** What a request means by an avatar, as it is kept: the id of a file, or an address elsewhere. */
export async function avatarNamed(
  call: Call<{ params: typeof memberParams; query: undefined; body: typeof changeMemberBody }>,
  ports: Ports,
) {
  const { avatar } = call.body;
  if (avatar === undefined || avatar === null) return {};
  const { state } = await fold(ports.log, memberDecider, call.school, call.params.member);
  const known = state?.avatar_file;
  const image = await imageOf(call, ports, avatar, { path: 'avatar', purposes: ['avatar'], known });
  return { avatar: 'file' in image ? image.file : image.url };
}
