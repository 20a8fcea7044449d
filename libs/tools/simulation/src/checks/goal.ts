import { type Collection, type Documents, liveDocuments } from '@lyceum/documents';
import { subjectOfStream } from '@lyceum/kernel';
import { processStream } from '@lyceum/service';
import { welcomeMails } from '../services/welcome-mails.ts';
import { Erasures } from './erasures.ts';
import { type Ledger, partsOf } from './ledger.ts';
import { notes } from '../services/notes.ts';
import { type Plan, isCalm } from '../plan.ts';
import { type Release } from '../services/releases.ts';
import { counted, newPeople, oldPeople, renames } from '../services/school.view.ts';
import { type Missing, type TrueEvent, eventsOf } from './truth.ts';
import type { World } from '../world.ts';

const { collection: renaming } = renames({});

/** What must be true when everything that went wrong is over and everybody had time. Tells what is not. */
export async function unmet(world: World, plan: Plan, ledger: Ledger, release: Release): Promise<readonly string[]> {
  const found: string[] = [];
  const missing = (what: string): void => void found.push(what);
  const [school, noted] = [eventsOf(world, 'school'), eventsOf(world, 'notes')];
  answers(world, ledger, [...school, ...noted], missing);
  const schoolModels = await liveDocuments(world.servers.school.documents.engine, { ttl: -1 });
  const noteModels = await liveDocuments(world.servers.notes.documents.engine, { ttl: -1 });
  const erasures = new Erasures(world, plan, ledger, { school, notes: noted });
  await erasures.check(missing);
  await people({ ledger, events: school, models: schoolModels, release, erasures, missing });
  await written({ ledger, events: noted, models: noteModels, erasures, missing });
  await facts(school, noteModels, missing);
  const { collection: roster } = counted('roster', '', []);
  const published = school.filter(({ type }) => type === 'PersonAdded' || type === 'BadgeGiven');
  const { collection: peopleNow } = release.number === 1 ? oldPeople : newPeople;
  await nothingElse(schoolModels, plan, peopleNow, streamsOf(school, 'person-').keys(), missing);
  await nothingElse(schoolModels, plan, renaming, streamsOf(school, 'person-').keys(), missing);
  await nothingElse(noteModels, plan, notes.collection, streamsOf(noted, 'note-').keys(), missing);
  await nothingElse(noteModels, plan, roster, streamsOf(published, '').keys(), missing);
  effects(world, plan, school, noted, missing);
  trusted(world, plan, school, missing);
  return found;
}

/** What was acknowledged is there once, unless it went with a log that was put back; what was refused is not. */
function answers({ lost }: World, ledger: Ledger, events: readonly TrueEvent[], missing: Missing): void {
  const stored = new Set(events.map(({ tenant, commitId }) => `${tenant}\0${commitId}`));
  for (const [key, { ackedAt, isOpen, stream, tenant }] of ledger.asked) {
    if (ackedAt !== undefined && !stored.has(key) && !lost.commits.has(key))
      missing(`${tenant} ${stream} was acknowledged and is not there`);
    if (ackedAt === undefined && !isOpen && stored.has(key)) missing(`${tenant} ${stream} was refused and is there`);
  }
}

interface Checked {
  readonly ledger: Ledger;
  readonly events: readonly TrueEvent[];
  readonly models: Documents;
  readonly erasures: Erasures;
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

async function people({
  ledger,
  events,
  models,
  release,
  erasures,
  missing,
}: Checked & { release: Release }): Promise<void> {
  const { collection } = release.number === 1 ? oldPeople : newPeople;
  for (const [key, own] of streamsOf(events, 'person-')) {
    const [tenant, stream] = partsOf(key);
    const renamed = own.flatMap(({ type, version }) => (type === 'PersonRenamed' ? [version] : []));
    const seen = renamed.length > 0 ? { seen: renamed } : undefined;
    const renames = await read(models, renaming, tenant, stream);
    same(`${tenant} ${stream} of the renames`, renames, [seen], missing);
    const poisoned = own.findIndex(({ data }) => data['poison'] === true);
    const applied = poisoned < 0 ? own : own.slice(0, poisoned);
    const named = applied.filter(({ type }) => type === 'PersonAdded' || type === 'PersonRenamed').at(-1);
    const name = (named && ledger.find(tenant, named.commitId)?.text) ?? null;
    const names = erasures.texts('school', tenant, subjectOfStream(stream), name);
    const expected = names.map((each) => ({ name: each, count: applied.length, seen: upTo(applied.length) }));
    const view = await read(models, collection, tenant, stream);
    same(`${tenant} ${stream} of the people`, view, applied.length === 0 ? [undefined] : expected, missing);
  }
}

async function written({ ledger, events, models, erasures, missing }: Checked): Promise<void> {
  for (const [key, [first]] of streamsOf(events, 'note-')) {
    const [tenant, stream] = partsOf(key);
    const author = String(first!.data['author']);
    const texts = erasures.texts('notes', tenant, author, ledger.find(tenant, first!.commitId)?.text ?? null);
    const expected = texts.map((text) => ({ author, text, seen: [1] }));
    same(`${tenant} ${stream} of the notes`, await read(models, notes.collection, tenant, stream), expected, missing);
  }
}

async function facts(school: readonly TrueEvent[], models: Documents, missing: Missing): Promise<void> {
  const { collection } = counted('roster', '', []);
  const { collection: welcomes } = counted('welcomes', '', []);
  for (const { type, tenant, stream, version } of school) {
    if (type !== 'PersonAdded' && type !== 'BadgeGiven') continue;
    const place = `${tenant} ${stream} of the`;
    same(`${place} roster`, await read(models, collection, tenant, stream), [{ seen: [version] }], missing);
    if (type !== 'PersonAdded') continue;
    const welcomed = await read(models, welcomes, tenant, `welcome-${stream}`);
    same(`${place} welcomes`, welcomed, [{ seen: [1] }], missing);
  }
}

/** No read model has what nothing in the log tells of, as of a log that was put back. */
async function nothingElse(
  models: Documents,
  { schools }: Plan,
  collection: Collection,
  ids: Iterable<string>,
  missing: Missing,
): Promise<void> {
  const known = new Set(ids);
  for (const tenant of schools) {
    const { items } = await models.query(collection, tenant, { limit: 200 }).catch(() => ({ items: [] }));
    for (const { id } of items)
      if (!known.has(`${tenant}\0${id}`)) missing(`${tenant} ${id} is among ${collection.name}, and not in the log`);
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
    const [tenant, stream] = partsOf(key);
    if (!own.some(({ type }) => type === 'PersonAdded')) continue;
    const welcomes = receipts.filter(({ to }) => to === `${stream}@${tenant}`);
    const greetings = receipts.filter(({ to }) => to === `${stream}@greeting.${tenant}`);
    const reminders = school.filter((event) => event.tenant === tenant && event.stream === `reminder-${stream}`);
    const process = [processStream(welcomeMails.name, stream), `reminder-${stream}`];
    const wasCut = (...streams: readonly string[]) =>
      streams.some((each) => world.lost.streams.has(`${tenant}\0${each}`));
    // In an old epoch of the log what the process manager had written counts as done, also when it is gone.
    const isOwed = !(world.isOldLife && wasCut(...process));
    if (isOwed && welcomes.length === 0) missing(`nobody welcomed ${tenant} ${stream}`);
    if (greetings.length === 0) missing(`nobody greeted ${tenant} ${stream}`);
    if (isOwed && reminders.length === 0) missing(`nobody reminded ${tenant} ${stream}`);
    if (welcomes.length > 1 && !wasCut(stream, ...process))
      missing(`${welcomeMails.name} welcomed ${tenant} ${stream} twice`);
    if (reminders.length > 1) missing(`${welcomeMails.name} reminded ${tenant} ${stream} twice`);
    if (isCalm(plan) && [...welcomes, ...greetings].some(({ times }) => times > 1))
      missing(`${tenant} ${stream} got a mail twice`);
    if (noted.filter((event) => event.tenant === tenant && event.stream === `welcome-${stream}`).length !== 1)
      missing(`${tenant} ${stream} was not welcomed once in the log of notes`);
  }
}

/** Every process believes the address that stands in the log last. */
function trusted(world: World, { schools }: Plan, events: readonly TrueEvent[], missing: Missing): void {
  for (const tenant of schools) {
    const last = events.filter((event) => event.tenant === tenant && event.stream === 'school').at(-1);
    if (!last) continue;
    for (const node of [...world.serving('school'), ...world.serving('notes')]) {
      const known = node.serving!.trust.school(tenant)?.issuer;
      if (known !== last.data['url'])
        missing(`${node.name} believes ${tenant} at ${known}, not at ${String(last.data['url'])}`);
    }
  }
}

/** Undefined also while nobody has opened the read model. */
const read = (models: Documents, collection: Collection, tenant: string, id: string): Promise<unknown> =>
  models.get(collection, tenant, id).catch(() => undefined);

function same(what: string, found: unknown, expected: readonly unknown[], missing: Missing): void {
  const [one, others] = [JSON.stringify(found), expected.map((each) => JSON.stringify(each))];
  if (!others.includes(one)) missing(`${what} is ${one}, not ${others.join(' or ')}`);
}
