import { type NewEvent, claimant, execute, fold } from '@lyceum/eventlog';
import { type Rejection, isRejection, isoTime, uuidv5, isObject } from '@lyceum/kernel';
import type { Arriving, Moving, Place, SchoolPlaces } from '@lyceum/service';
import { Problem, type Ports, type StatusTable, problemOf } from '@lyceum/web';
import { domainsStream } from '../domains/domain.ts';
import { isInvitationReceipt } from '../invitations/invitation.events.ts';
import { schoolDecider } from '../school/school.ts';
import type { SchoolProfile } from '../school/school.events.ts';
import { type ArrivalCommand, type ArrivalRejection, arrivalDecider, arrivalStream } from '../arrival/arrival.ts';
import {
  type EntryRejection,
  claimsOf,
  entryDecider,
  entryStream,
  platformTenant,
  schoolHost,
} from '../directory/entry.ts';
import { placeProfile, placed } from '../directory/place-profile.ts';
import { enter, settle } from '../directory/provisioning.ts';

type ArrivingPorts = Pick<Ports, 'log' | 'clock' | 'ids'>;

const rejections = {
  slug_taken: 409,
  host_taken: 409,
  not_found: 404,
  invalid_state: 409,
} as const satisfies StatusTable<EntryRejection | ArrivalRejection>;

const meta = { actor: 'operator' } as const;

function granted<T extends object>(outcome: T | Rejection<EntryRejection | ArrivalRejection>): T {
  if (isRejection(outcome)) throw problemOf(outcome, rejections);
  return outcome;
}

/** Places for schools that arrive: the directory keeps one first, and the school opens when all its commits are here. */
const places = (ports: ArrivingPorts): SchoolPlaces => ({
  async describe(id, { personal }) {
    const { state } = await fold(ports.log, entryDecider, platformTenant, entryStream(id));
    if (!state) return undefined;
    const { school: _, settled: __, owner_email, ...profile } = state;
    return personal && typeof owner_email === 'string' ? { ...profile, owner_email } : profile;
  },
  async consider(arriving) {
    const { owner_email: _, ...profile } = profileOf(arriving);
    await refuseResident(ports, arriving.school);
    const claims = claimsOf(profile);
    for (const { kind, value } of claims) {
      const by = await claimant(ports.log, platformTenant, kind, value);
      if (by !== undefined && by !== entryStream(arriving.school))
        throw new Problem(kind === schoolHost ? 'host_taken' : 'slug_taken', `${kind} "${value}" is taken`);
    }
    return { profile, claims };
  },
  async admit(arriving) {
    const { school: id, departure } = arriving;
    const profile = profileOf(arriving);
    await refuseResident(ports, id);
    await advance(ports, id, { type: 'BeginArrival', departure });
    const { host, base_url } = profile;
    const commands = [
      { type: 'AdmitSchool', school: id, profile } as const,
      { type: 'RehostSchool', host, base_url } as const,
    ];
    for (const command of commands) {
      const commit = { commitId: ports.ids.next('commit').slice('commit_'.length) };
      granted(await enter(ports, id, command, { meta, commit }));
    }
  },
  async open(id) {
    await advance(ports, id, { type: 'CompleteArrival' });
    await settle(ports, id);
  },
});

/** The place that a school asks for, by the very rules for new ones. Throws a `Problem`. */
function profileOf({ place, baseUrl }: Arriving): SchoolProfile {
  const given = isObject(place) ? place : {};
  const base_url = baseUrl ?? given['base_url'];
  const host = typeof base_url === 'string' && URL.canParse(base_url) ? new URL(base_url).host : '';
  const parsed = placeProfile.safeParse({ ...given, base_url, host });
  if (parsed.success) return placed(parsed.data);
  const { path, message } = parsed.error.issues[0]!;
  const reason = `The export does not say where the school belongs: place.${path.join('.')}: ${message}`;
  throw new Problem('validation_failed', reason);
}

/**
 * A school's own history names the addresses that it had elsewhere. Here they may be somebody else's, and whoever follows
 * the school would believe them: all of them become the one that it has here.
 */
function settleHere(event: NewEvent, id: string, { profile }: Place): NewEvent {
  const { stream, type, data } = event;
  if (stream !== id || typeof data !== 'object' || data === null) return event;
  if (type === 'SchoolProvisioned') return { ...event, data: { ...data, ...profile } };
  const { host, base_url } = profile;
  return type === 'SchoolMoved' ? { ...event, data: { ...data, host, base_url } } : event;
}

/** A school that lives here already is never mixed with one that comes. */
async function refuseResident({ log }: Pick<Ports, 'log'>, id: string): Promise<void> {
  const [here, coming] = [await fold(log, schoolDecider, id, id), await fold(log, arrivalDecider, id, arrivalStream)];
  const known = await fold(log, entryDecider, platformTenant, entryStream(id));
  if (coming.state ? coming.state.complete : here.state || known.state)
    throw new Problem('invalid_state', 'The school is here already');
}

async function advance({ log, clock }: ArrivingPorts, id: string, command: ArrivalCommand): Promise<void> {
  // The names in derived ids are stored, and stay as they are.
  const [step, departure] = command.type === 'BeginArrival' ? ['begin', command.departure] : ['complete', ''];
  const commitId = uuidv5('school-arrival', step, id, departure);
  const at = isoTime(clock.now());
  granted(await execute(log, arrivalDecider, { tenant: id, stream: arrivalStream, command, at, meta, commitId }));
}

/** What the school service does with schools that move. */
export const schoolMoving = (ports: ArrivingPorts): Moving => ({
  stays: (stream) => stream === arrivalStream || stream === domainsStream || isInvitationReceipt(stream),
  places: places(ports),
  settle: settleHere,
});
