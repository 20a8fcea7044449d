import { messagesOf } from '@lyceum/channel';
import type { Document } from '@lyceum/documents';
import type { Commit } from '@lyceum/eventlog';
import { crossing } from '../service/account.ts';
import { callers } from '../callers/callers.ts';
import type { History, Places } from './history.ts';
import { type Faults, checkLanes, headsOf } from './lane-history.ts';
import { receiptId, source } from '../service/mini-service.ts';
import { accounts, chained, diary } from '../service/projections.ts';
import { requestOf } from '../callers/request.ts';

/**
 * Every promise of the log and of what follows it, checked on what a folder holds. `settled`: the last life ended in
 * peace, so everything must have gone all its ways; else readers may be behind, but never wrong.
 */
export function checkHistory(history: History, seed: string, settled: boolean): Faults {
  const faults: Faults = [];
  const { owner, receipts } = history;
  checkLanes(owner, faults);
  checkLanes(receipts, faults);
  checkAcknowledged(history, seed, faults);
  checkStreams(history, faults);
  for (const [name, places] of Object.entries(placesOf(history)))
    owner.forEach((commits, lane) => {
      if (places[lane]! > commits.length)
        faults.push(`${name} stands at ${places[lane]!} of lane ${lane}, past its end`);
    });
  if (settled) checkSettled(history, faults);
  checkDocuments('accounts', history.accounts, accountsUpTo(owner, history.accounts.places), faults);
  checkDocuments('diary', history.diary, diaryUpTo(owner, history.diary.places), faults);
  checkReceipts(history, settled, faults);
  return faults;
}

const placesOf = ({ accounts, diary, marks, outbox }: History): Readonly<Record<string, Places>> => ({
  accounts: accounts.places,
  diary: diary.places,
  receipts: marks,
  outbox,
});

/** Each answer is true: stored once, there, as asked; and nothing is stored that nobody asked for. */
export function checkAcknowledged(
  { acknowledged, owner }: Pick<History, 'acknowledged' | 'owner'>,
  seed: string,
  faults: Faults,
): void {
  const stored = new Map(owner.flat().map((commit) => [commit.commitId, commit]));
  const answered = Array.from({ length: callers }, () => 0);
  for (const { name, commitId, lane, position } of acknowledged) {
    const [caller, n] = name.split('-').map(Number) as [number, number];
    if (n !== answered[caller]) faults.push(`${name} was answered after ${answered[caller]!} answers`);
    answered[caller] = n + 1;
    const commit = stored.get(commitId);
    if (commit?.lane !== lane || commit.position !== position)
      faults.push(`${name} was told lane ${lane} position ${position}, where it is not stored`);
  }
  const asked = new Set<string>();
  answered.forEach((count, caller) => {
    // The last one of each caller may have been stored without an answer.
    for (let n = 0; n <= count; n += 1) {
      const { commitId, moves, name, tenant } = requestOf(seed, caller, n);
      asked.add(commitId);
      const commit = stored.get(commitId);
      if (!commit) continue;
      const found = commit.events.map(({ stream, data }) => [commit.tenant, stream, data]);
      const wanted = moves.map(({ stream, amount }) => [tenant, stream, { request: name, amount }]);
      if (JSON.stringify(found) !== JSON.stringify(wanted))
        faults.push(`${name} is stored as ${JSON.stringify(found)}`);
    }
  });
  for (const { commitId } of owner.flat()) if (!asked.has(commitId)) faults.push(`nobody asked for ${commitId}`);
}

/** What `load` finds of each stream is what the lanes hold of it. */
function checkStreams({ owner, streams }: History, faults: Faults): void {
  const events = new Map<string, string[]>();
  for (const { tenant, events: all } of owner.flat())
    for (const { id, stream } of all)
      events.set(`${tenant} ${stream}`, [...(events.get(`${tenant} ${stream}`) ?? []), id]);
  for (const [key, version] of headsOf(owner.flat())) {
    const stream = key.slice(key.indexOf(' ') + 1);
    const { heads, commits } = streams.get(key)!;
    const loaded = commits.flatMap((commit) => commit.events.filter((event) => event.stream === stream));
    if (heads[stream] !== version) faults.push(`${key} is at version ${heads[stream]!}, its lane says ${version}`);
    if (String(loaded.map(({ id }) => id)) !== String(events.get(key))) faults.push(`${key} loads other events`);
  }
}

/** The commits of each lane that a reader has passed. */
const upTo = (owner: History['owner'], places: Places): readonly Commit[] =>
  owner.flatMap((commits, lane) => commits.slice(0, places[lane]));

function accountsUpTo(owner: History['owner'], places: Places): ReadonlyMap<string, Document> {
  const documents = new Map<string, Document>();
  for (const { tenant, events } of upTo(owner, places))
    for (const event of events) {
      const key = `${tenant} ${accounts.key({ ...event, tenant, at: '', position: 0 })!}`;
      documents.set(key, chained(event, documents.get(key)));
    }
  return documents;
}

function diaryUpTo(owner: History['owner'], places: Places): ReadonlyMap<string, Document> {
  const documents = new Map<string, Document>();
  for (const { tenant, events } of upTo(owner, places))
    for (const event of events) {
      if (!crossing(event)) continue;
      const key = `${tenant} ${diary.key({ ...event, tenant, at: '', position: 0 })!}`;
      documents.set(key, chained(event, documents.get(key)));
    }
  return documents;
}

function checkDocuments(
  name: string,
  { documents }: History['accounts'],
  wanted: ReadonlyMap<string, Document>,
  faults: Faults,
): void {
  for (const key of new Set([...documents.keys(), ...wanted.keys()]))
    if (JSON.stringify(documents.get(key)) !== JSON.stringify(wanted.get(key)))
      faults.push(
        `${name} ${key} is not the fold of the log: ${JSON.stringify([documents.get(key), wanted.get(key)])}`,
      );
}

/** The reactor's log answers the facts of each lane, once and in order: those it has marked, and perhaps one more. */
function checkReceipts({ marks, owner, receipts }: History, settled: boolean, faults: Faults): void {
  owner.forEach((commits, lane) => {
    const { messages } = messagesOf(source, commits, 0, crossing);
    const wanted = messages.flatMap(({ position, facts }) => facts.map(({ id }) => receiptId(lane, position, id)));
    const marked = messages.filter(({ position }) => position <= marks[lane]!).flatMap(({ facts }) => facts).length;
    const found = receipts[lane]!.map(({ commitId }) => commitId);
    if (String(found) !== String(wanted.slice(0, found.length)))
      faults.push(`lane ${lane} has other receipts than facts`);
    if (found.length < marked) faults.push(`lane ${lane} has ${found.length} receipts for ${marked} marked facts`);
    if (settled && found.length !== wanted.length)
      faults.push(`lane ${lane} has ${found.length} receipts for ${wanted.length} facts`);
  });
}

/** After a peaceful end nobody is behind. The readers of facts stand at the last one. */
function checkSettled({ accounts, diary, marks, outbox, owner }: History, faults: Faults): void {
  owner.forEach((commits, lane) => {
    const last = messagesOf(source, commits, 0, crossing).messages.at(-1)?.position ?? 0;
    const places = [accounts.places[lane], outbox[lane], diary.places[lane], marks[lane]];
    const wanted = [commits.length, commits.length, last, last];
    if (String(places) !== String(wanted))
      faults.push(`lane ${lane} ended at ${String(places)}, not at ${String(wanted)}`);
  });
}
