import { storedJson } from '@lyceum/kernel';
import { call } from '@lyceum/testkit';
import type { MixedSystem, ReleaseName } from './mixed-system.ts';
import { until } from './patience.ts';
import type { Report } from './report.ts';
import type { Traffic } from './traffic.ts';

/** Milliseconds in which everything that was written has to have arrived everywhere. */
const settling = 300_000;

/**
 * Waits until nothing is under way any more: every relay at the head of every lane, every read model and consumer of every
 * process without lag, nothing parked, stuck or missing. What remains is a fault.
 */
export async function settle(system: MixedSystem, report: Report): Promise<void> {
  const done = new Set<string>();
  const { held, outcome, error } = await until(
    () => unfinished(system, done),
    (left) => left.length === 0,
    settling,
  );
  if (held) return;
  for (const each of outcome ?? [String(error)]) report.fault(`left over: ${each}`);
}

interface LaneRow {
  readonly service: string;
  readonly lane: number;
  readonly missing: number | null;
  readonly relay: { readonly lag: number } | null;
}

interface ConsumerRow {
  readonly consumer: string;
  readonly source: string;
  readonly lane: number;
  readonly lag: number;
}

interface ProjectionRow {
  readonly service: string;
  readonly projection: string;
  readonly state: string;
  readonly lanes: readonly { readonly lane: number; readonly lag: number }[];
}

interface StuckRow {
  readonly id: string;
  readonly error: string;
}

/**
 * Whether a reaction waits for a read model. While the release of before holds the lease of a service's read models, those
 * that only the present one has stand still, and what follows from them is done when it is gone.
 */
const isWaiting = ({ error }: StuckRow): boolean => /^Unavailable: .* not read yet$/.test(error);

/**
 * Of several processes one relays a lane, and one keeps a shared read model of it; what the others say is, in releases of
 * before, where they were when they had it last. So each must be at the head in one process at least, and `behind` keeps
 * who is not in any. The present release tells of nothing that is not its own, so whatever it tells must be at the head.
 * Who was there in an earlier look is in `done`, for nothing is written any more: on a busy machine the owner of a lane
 * may not tell in time how far it is (lag null), in this look or in that.
 */
async function unfinished(system: MixedSystem, done: Set<string>): Promise<readonly string[]> {
  const left: string[] = [];
  const behind = new Map<string, string>();
  const look = (key: string, lag: number | null | undefined, told: string) => {
    if (lag === 0) done.add(key);
    else behind.set(key, told);
    if (typeof lag === 'number' && lag > 0 && told.startsWith('new-')) left.push(told);
  };
  const token = system.place.operatorToken;
  for (const { name, url } of system.operators) {
    const rows = async <T>(path: string): Promise<readonly T[]> => {
      const { status, body } = await call(`${url}/internal/${path}`, { token });
      if (status !== 200) throw new Error(`${name} /internal/${path} answers ${status}`);
      return body.data;
    };
    for (const { service, lane, missing, relay } of await rows<LaneRow>('lanes')) {
      look(`relay of ${service} ${lane}`, relay?.lag, `${name} relays lane ${lane}: ${JSON.stringify(relay)}`);
      if (missing !== null) left.push(`${name} stands in lane ${lane} before ${missing}`);
    }
    for (const { service, projection, state, lanes } of await rows<ProjectionRow>('projections')) {
      if (state !== 'live') left.push(`${name} ${projection} is ${state}`);
      for (const { lane, lag } of lanes)
        look(`${service} ${projection} ${lane}`, lag, `${name} ${projection} lags ${lag}`);
    }
    for (const row of await rows<ConsumerRow>('consumers'))
      look(`${row.consumer} of ${row.source} ${row.lane}`, row.lag, `${name} consumer ${JSON.stringify(row)}`);
    for (const row of await rows('parked')) left.push(`${name} parked ${JSON.stringify(row)}`);
    for (const row of await rows<StuckRow>('stuck')) {
      if (isWaiting(row) && system.hasOld) continue;
      // It would be tried again by itself, perhaps as late as it waited; an operator need not wait.
      if (isWaiting(row)) await call(`${url}/internal/stuck/${row.id}/resume`, { token, method: 'POST' });
      left.push(`${name} stuck ${JSON.stringify(row)}`);
    }
  }
  for (const [key, told] of behind) if (!done.has(key)) left.push(told);
  return left;
}

/** Each release that runs tells alone what it has: everything that was acknowledged, and the same as the other. */
export async function compare(system: MixedSystem, traffic: Traffic, report: Report): Promise<void> {
  const told = new Map<ReleaseName, { courses: Map<string, string>; members: Map<string, string> }>();
  for (const release of system.running) {
    await system.answerFrom(release);
    const courses = await listed(system, traffic, 'courses', ({ id, title, status }) => [id!, `${title} ${status}`]);
    const members = await listed(system, traffic, 'members', ({ id, email, role, status, tags }) => [
      id!,
      JSON.stringify([email, role, status, tags]),
    ]);
    told.set(release, { courses, members });
    expectAll(release, { courses, members }, traffic, report);
    if (release === 'new') await expectDescribed(system, report);
  }
  await system.answerFrom(...system.running);
  const [one, other] = [...told.values()];
  if (!one || !other) return;
  for (const kind of ['courses', 'members'] as const) {
    const ids = new Set([...one[kind].keys(), ...other[kind].keys()]);
    for (const id of ids)
      if (one[kind].get(id) !== other[kind].get(id))
        report.fault(`old and new differ in ${kind} ${id}: ${one[kind].get(id)} / ${other[kind].get(id)}`);
  }
}

/** The present gateway describes every service, of whichever release what answers it is. */
async function expectDescribed({ place }: MixedSystem, report: Report): Promise<void> {
  const wanted = ['/api/courses', '/api/school', '/api/members', '/api/oauth/token'];
  const { held, outcome } = await until(
    async () => Object.keys((await call(`${place.baseUrl}/openapi.json`)).body.paths ?? {}),
    (paths) => wanted.every((path) => paths.includes(path)),
  );
  if (!held) report.fault(`/openapi.json of new leaves services out: ${outcome?.join(' ')}`);
}

type Told = { readonly courses: Map<string, string>; readonly members: Map<string, string> };

function expectAll(release: ReleaseName, { courses, members }: Told, traffic: Traffic, report: Report): void {
  for (const [id, title] of traffic.courses)
    if (courses.get(id) !== `${title} published`)
      report.fault(`${release} tells of course ${id} ${String(courses.get(id))} instead of ${title} published`);
  for (const { id, email, tags, erased } of traffic.guests) {
    const row = members.get(id);
    if (erased && row?.includes(email)) report.fault(`${release} tells of an erased member: ${row}`);
    if (erased) continue;
    const [address, , status, kept] = storedJson<[string?, string?, string?, string[]?]>(row ?? '[]');
    if (address !== email || status !== 'active' || [...(kept ?? [])].toSorted().join() !== [...tags].toSorted().join())
      report.fault(`${release} tells of member ${email}: ${String(row)} instead of the tags ${tags.join()}`);
  }
}

type Row = Readonly<Record<string, string | undefined>>;

async function listed(
  system: MixedSystem,
  traffic: Traffic,
  kind: string,
  entry: (row: Row) => readonly [string, string],
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const list = `${system.place.baseUrl}/api/${kind}?limit=100`;
  for (let next: string | undefined = list; next;) {
    const { outcome } = await until(
      () => call(next!, { token: traffic.owner }),
      ({ status }) => status === 200,
    );
    if (outcome?.status !== 200) throw new Error(`${next} answers ${outcome?.status} ${JSON.stringify(outcome?.body)}`);
    for (const row of outcome.body.data as Row[]) found.set(...entry(row));
    const { next_cursor: cursor } = outcome.body;
    next = cursor ? `${list}&cursor=${encodeURIComponent(cursor)}` : undefined;
  }
  return found;
}

/** How often each mail was written, told by the logs of all processes; more than once is a fault. */
export function checkMail(system: MixedSystem, report: Report): void {
  const times = new Map<string, number>();
  for (const line of system.output().split('\n')) {
    const file = /"file":"([^"]+\.eml)"/.exec(line)?.[1];
    if (file !== undefined) times.set(file, (times.get(file) ?? 0) + 1);
  }
  if (times.size === 0) report.fault('no mail was sent');
  for (const [file, count] of times) if (count > 1) report.fault(`the mail ${file} was sent ${count} times`);
  report.say(`${times.size} mails`);
}
