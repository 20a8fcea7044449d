import { execute, fold } from '@lyceum/eventlog';
import { type Rejection, isRejection, isoTime, uuidv5 } from '@lyceum/kernel';
import type { Moving, SchoolPlaces } from '@lyceum/runtime';
import { Problem, type Ports, type StatusTable, problemOf } from '@lyceum/web';
import { domainsStream } from '../domains/domain.ts';
import { school } from '../school/school.ts';
import { schoolProfile } from '../school/school.events.ts';
import { type ArrivalCommand, type ArrivalRejection, arrival, arrivalStream } from './arrival.ts';
import { type EntryRejection, entry, entryStream, platformTenant } from './entry.ts';
import { enter, settle } from './provisioning.ts';

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
    const { state } = await fold(ports.log, entry, platformTenant, entryStream(id));
    if (!state) return undefined;
    const { school: _, settled: __, owner_email, ...profile } = state;
    return personal && typeof owner_email === 'string' ? { ...profile, owner_email } : profile;
  },
  async admit({ school: id, departure, place, baseUrl }) {
    const parsed = schoolProfile.safeParse(place);
    if (!parsed.success) throw new Problem('validation_failed', 'The export does not say where the school belongs');
    const address = baseUrl === undefined ? {} : { base_url: baseUrl, host: new URL(baseUrl).host };
    const profile = { ...parsed.data, ...address };
    await refuseResident(ports, id);
    await advance(ports, id, { kind: 'begin', departure });
    const { host, base_url } = profile;
    const commands = [{ kind: 'admit', school: id, profile } as const, { kind: 'rehost', host, base_url } as const];
    for (const command of commands) {
      const commit = { commitId: ports.ids.next('commit').slice('commit_'.length) };
      granted(await enter(ports, id, command, { meta, commit }));
    }
  },
  async open(id) {
    await advance(ports, id, { kind: 'complete' });
    await settle(ports, id);
  },
});

/** A school that lives here already is never mixed with one that comes. */
async function refuseResident({ log }: Pick<Ports, 'log'>, id: string): Promise<void> {
  const [here, coming] = [await fold(log, school, id, id), await fold(log, arrival, id, arrivalStream)];
  const known = await fold(log, entry, platformTenant, entryStream(id));
  if (coming.state ? coming.state.complete : here.state || known.state)
    throw new Problem('invalid_state', 'The school is here already');
}

async function advance({ log, clock }: ArrivingPorts, id: string, command: ArrivalCommand): Promise<void> {
  const departure = command.kind === 'begin' ? command.departure : '';
  const commitId = uuidv5('school-arrival', command.kind, id, departure);
  const at = isoTime(clock.now());
  granted(await execute(log, arrival, { tenant: id, stream: arrivalStream, command, at, meta, commitId }));
}

/** What the school service does with schools that move. */
export const schoolMoving = (ports: ArrivingPorts): Moving => ({
  stays: (stream) => stream === arrivalStream || stream === domainsStream,
  places: places(ports),
});
