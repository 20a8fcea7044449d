import { type Collection, type Documents, liveDocuments } from '@lyceum/documents';
import { subjectOfStream } from '@lyceum/kernel';
import { letters } from './letters.ts';
import type { Ledger } from './ledger.ts';
import { notes } from './notes.ts';
import { type Plan, isCalm } from './plan.ts';
import { type Release } from './releases.ts';
import { counted, newPeople, oldPeople, renames } from './school.view.ts';
import { type TrueEvent, eventsOf } from './truth.ts';
import { type ServiceName, type World, serviceNames } from './world.ts';

type Missing = (what: string) => void;

/** What must be true when everything that went wrong is over and everybody had time. Tells what is not. */
export async function unmet(world: World, plan: Plan, ledger: Ledger, release: Release): Promise<readonly string[]> {
  const found: string[] = [];
  const missing = (what: string): void => void found.push(what);
  const [school, noted] = [eventsOf(world, 'school'), eventsOf(world, 'notes')];
  answers(world, ledger, [...school, ...noted], missing);
  const schoolModels = await liveDocuments(world.servers.school.documents.engine, { ttl: -1 });
  const noteModels = await liveDocuments(world.servers.notes.documents.engine, { ttl: -1 });
  const told = school.filter(({ type }) => type === 'SubjectErased');
  const known = new Set(told.map(({ tenant, data }) => `${tenant}\0${String(data['subject'])}`));
  const done = [...ledger.erasures.values()].filter(({ doneAt }) => doneAt !== undefined);
  const erased = new Set([...known, ...done.map(({ tenant, subject }) => `${tenant}\0${subject}`)]);
  await people(world, { ledger, events: school, models: schoolModels, release, erased, missing });
  // Of an erasure that the log lost before it was told, nobody else can know.
  const elsewhere = world.wasRestored ? known : erased;
  await written({ ledger, events: noted, models: noteModels, erased: elsewhere, missing });
  await facts(school, noteModels, missing);
  await keys(world, { school: erased, notes: elsewhere }, missing);
  effects(world, plan, school, noted, missing);
  trusted(world, plan, school, missing);
  return found;
}

/** What was acknowledged is there once; what was refused is not. */
function answers(world: World, ledger: Ledger, events: readonly TrueEvent[], missing: Missing): void {
  const stored = new Set(events.map(({ tenant, commitId }) => `${tenant}\0${commitId}`));
  for (const [key, { ackedAt, isOpen, stream, tenant }] of ledger.asked) {
    if (ackedAt !== undefined && !stored.has(key) && !world.wasRestored)
      missing(`${tenant} ${stream} was acknowledged and is not there`);
    if (ackedAt === undefined && !isOpen && stored.has(key)) missing(`${tenant} ${stream} was refused and is there`);
  }
}

interface Checked {
  readonly ledger: Ledger;
  readonly events: readonly TrueEvent[];
  readonly models: Documents;
  readonly erased: ReadonlySet<string>;
  readonly missing: Missing;
}

const upTo = (length: number): readonly number[] => Array.from({ length }, (_, index) => index + 1);

const streamsOf = (events: readonly TrueEvent[], prefix: string): ReadonlyMap<string, readonly TrueEvent[]> => {
  const streams = new Map<string, TrueEvent[]>();
  for (const event of events)
    if (event.stream.startsWith(prefix)) {
      const key = `${event.tenant}\0${event.stream}`;
      streams.set(key, [...(streams.get(key) ?? []), event]);
    }
  return streams;
};

async function people(
  _: World,
  { ledger, events, models, release, erased, missing }: Checked & { release: Release },
): Promise<void> {
  const { collection } = release.number === 1 ? oldPeople : newPeople;
  for (const [key, own] of streamsOf(events, 'person-')) {
    const [tenant, stream] = key.split('\0') as [string, string];
    const renamed = own.flatMap(({ type, version }) => (type === 'PersonRenamed' ? [version] : []));
    const seen = renamed.length > 0 ? { seen: renamed } : undefined;
    same(
      `${tenant} ${stream} of the renames`,
      await read(models, renames({}).collection, tenant, stream),
      seen,
      missing,
    );
    const poisoned = own.findIndex(({ data }) => data['poison'] === true);
    const applied = poisoned < 0 ? own : own.slice(0, poisoned);
    const isErased = erased.has(`${tenant}\0${subjectOfStream(stream)}`);
    const named = applied.filter(({ type }) => type === 'PersonAdded' || type === 'PersonRenamed').at(-1);
    const name = isErased ? null : ((named && ledger.find(tenant, named.commitId)?.text) ?? null);
    const expected = applied.length === 0 ? undefined : { name, count: applied.length, seen: upTo(applied.length) };
    if (isHalfErased(ledger, erased, tenant, subjectOfStream(stream))) continue;
    same(`${tenant} ${stream} of the people`, await read(models, collection, tenant, stream), expected, missing);
  }
}

/** Somebody asked for it and was not told that it is done: then nobody can say what must be left. */
const isHalfErased = ({ erasures }: Ledger, erased: ReadonlySet<string>, tenant: string, subject: string): boolean =>
  erasures.has(`${tenant}\0${subject}`) && !erased.has(`${tenant}\0${subject}`);

async function written({ ledger, events, models, erased, missing }: Checked): Promise<void> {
  for (const [key, [first]] of streamsOf(events, 'note-')) {
    const [tenant, stream] = key.split('\0') as [string, string];
    const author = String(first!.data['author']);
    if (isHalfErased(ledger, erased, tenant, author)) continue;
    const text = erased.has(`${tenant}\0${author}`) ? null : ledger.find(tenant, first!.commitId)?.text;
    same(
      `${tenant} ${stream} of the notes`,
      await read(models, notes.collection, tenant, stream),
      { author, text, seen: [1] },
      missing,
    );
  }
}

async function facts(school: readonly TrueEvent[], models: Documents, missing: Missing): Promise<void> {
  const { collection } = counted('roster', '', []);
  const { collection: welcomes } = counted('welcomes', '', []);
  for (const { type, tenant, stream, version } of school) {
    if (type !== 'PersonAdded' && type !== 'BadgeGiven') continue;
    same(
      `${tenant} ${stream} of the roster`,
      await read(models, collection, tenant, stream),
      { seen: [version] },
      missing,
    );
    if (type === 'PersonAdded')
      same(
        `${tenant} ${stream} of the welcomes`,
        await read(models, welcomes, tenant, `welcome-${stream}`),
        { seen: [1] },
        missing,
      );
  }
}

async function keys(
  world: World,
  erased: Readonly<Record<ServiceName, ReadonlySet<string>>>,
  missing: Missing,
): Promise<void> {
  for (const service of serviceNames)
    for (const key of erased[service]) {
      const [tenant, subject] = key.split('\0') as [string, string];
      if ((await world.servers[service].keys.engine.get({ tenant, subject }))?.wrapped)
        missing(`${service} still has the key of ${tenant} ${subject}, who is erased`);
    }
}

/** What went out, and what was reminded: at least once, and once in effect. */
function effects(
  world: World,
  plan: Plan,
  school: readonly TrueEvent[],
  noted: readonly TrueEvent[],
  missing: Missing,
): void {
  const receipts = [...world.mail.receipts.values()];
  for (const [key, own] of streamsOf(school, 'person-')) {
    const [tenant, stream] = key.split('\0') as [string, string];
    if (!own.some(({ type }) => type === 'PersonAdded')) continue;
    const welcomes = receipts.filter(({ to }) => to === `${stream}@${tenant}`);
    const greetings = receipts.filter(({ to }) => to === `${stream}@greeting.${tenant}`);
    const reminders = school.filter((event) => event.tenant === tenant && event.stream === `reminder-${stream}`);
    const isOwed = !world.isOldLife;
    if (isOwed && welcomes.length === 0) missing(`nobody welcomed ${tenant} ${stream}`);
    if (greetings.length === 0) missing(`nobody greeted ${tenant} ${stream}`);
    if (isOwed && reminders.length === 0) missing(`nobody reminded ${tenant} ${stream}`);
    if (welcomes.length > 1 && !world.wasRestored) missing(`${letters.name} welcomed ${tenant} ${stream} twice`);
    if (reminders.length > 1) missing(`${letters.name} reminded ${tenant} ${stream} twice`);
    if (isCalm(plan) && [...welcomes, ...greetings].some(({ times }) => times > 1))
      missing(`${tenant} ${stream} got a mail twice`);
    if (noted.filter((event) => event.tenant === tenant && event.stream === `welcome-${stream}`).length !== 1)
      missing(`${tenant} ${stream} was not welcomed once in the log of notes`);
  }
}

/** Every process believes the address that the log told last. */
function trusted(world: World, { schools }: Plan, events: readonly TrueEvent[], missing: Missing): void {
  for (const tenant of schools) {
    const last = events.filter((event) => event.tenant === tenant && event.stream === 'school').at(-1);
    if (!last) continue;
    for (const node of [...world.serving('school'), ...world.serving('notes')]) {
      const told = node.serving!.trust.school(tenant)?.issuer;
      if (told !== last.data['url'])
        missing(`${node.name} believes ${tenant} at ${told}, not at ${String(last.data['url'])}`);
    }
  }
}

/** Undefined also while nobody has opened the read model. */
const read = (models: Documents, collection: Collection, tenant: string, id: string): Promise<unknown> =>
  models.get(collection, tenant, id).catch(() => undefined);

function same(what: string, found: unknown, expected: unknown, missing: Missing): void {
  const [one, other] = [JSON.stringify(found), JSON.stringify(expected)];
  if (one !== other) missing(`${what} is ${one}, not ${other}`);
}
