import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Document, Documents } from '@lyceum/documents';
import type { Commit, EventLog, Loaded } from '@lyceum/eventlog';
import { headsOf } from './lane-history.ts';
import { lanes, marks, openEngines, outbox, source } from '../service/mini-service.ts';
import { accounts, diary } from '../service/projections.ts';
import { type Acknowledged, acknowledgedIn } from '../callers/request.ts';
import { messageIn } from '../service/spool-channel.ts';
import { fileSpool } from '../service/spool.ts';

/** How far a reader of the owner's lanes says it is. */
export type Places = readonly number[];

/** Everything that a data folder holds, as the ports tell it. */
export interface History {
  readonly acknowledged: readonly Acknowledged[];
  /** Effects that the reactor repeated and found done. */
  readonly redelivered: number;
  readonly owner: readonly (readonly Commit[])[];
  readonly receipts: readonly (readonly Commit[])[];
  /** What `load` says of every stream of the owner, by `<tenant> <stream>`. */
  readonly streams: ReadonlyMap<string, Loaded>;
  readonly accounts: { readonly places: Places; readonly documents: ReadonlyMap<string, Document> };
  readonly diary: { readonly places: Places; readonly documents: ReadonlyMap<string, Document> };
  readonly outbox: Places;
  readonly marks: Places;
  /** Positions of each lane that the transport still has, repeats included. */
  readonly spooled: readonly (readonly number[])[];
}

/** Reads a folder whose processes are dead. `tenants` are those whose documents are looked at. */
export async function readHistory(folder: string, acknowledgements: string): Promise<History> {
  const text = await readFile(acknowledgements, 'utf8');
  const engines = await openEngines(folder);
  try {
    const owner = await allOf(engines.log);
    const commits = owner.flat();
    const heads = [...headsOf(commits).keys()].map((key) => key.split(' ') as [tenant: string, stream: string]);
    const tenants = [...new Set(commits.map(({ tenant }) => tenant))];
    const streams = new Map<string, Loaded>();
    for (const [tenant, stream] of heads) streams.set(`${tenant} ${stream}`, await engines.log.load(tenant, [stream]));
    const { documents, consumer } = engines;
    return {
      acknowledged: acknowledgedIn(text),
      redelivered: text.split('\n').filter((line) => line === 'again').length,
      owner,
      receipts: await allOf(engines.receipts),
      streams,
      accounts: {
        places: await placesOf(documents, accounts.collection),
        documents: await documentsOf(documents, accounts.collection, heads),
      },
      diary: {
        places: await placesOf(consumer, diary.collection),
        documents: await documentsOf(
          consumer,
          diary.collection,
          tenants.map((tenant) => [tenant, 'diary']),
        ),
      },
      outbox: await placesOf(documents, outbox),
      marks: await placesOf(consumer, marks),
      spooled: spooledIn(folder),
    };
  } finally {
    for (const engine of [engines.consumer, engines.receipts, engines.documents, engines.log]) await engine.close();
  }
}

/** Every commit of a log, lane by lane. */
export async function allOf(log: EventLog): Promise<readonly (readonly Commit[])[]> {
  const all: Commit[][] = [];
  for (let lane = 0; lane < log.lanes; lane += 1) {
    const commits: Commit[] = [];
    const head = await log.head(lane);
    while (commits.length < head) commits.push(...(await log.readLane(lane, commits.length, 500)));
    all.push(commits);
  }
  return all;
}

const placesOf = (documents: Documents, collection: Parameters<Documents['open']>[0]): Promise<Places> =>
  Promise.all(Array.from({ length: lanes }, (_, lane) => documents.checkpoint(collection, source, lane)));

async function documentsOf(
  documents: Documents,
  collection: Parameters<Documents['open']>[0],
  keys: readonly (readonly [tenant: string, id: string])[],
): Promise<ReadonlyMap<string, Document>> {
  const found = new Map<string, Document>();
  for (const [tenant, id] of keys) {
    const document = await documents.get(collection, tenant, id);
    if (document) found.set(`${tenant} ${id}`, document);
  }
  return found;
}

function spooledIn(folder: string): readonly (readonly number[])[] {
  const spool = fileSpool(join(folder, 'spool'), lanes);
  return Array.from({ length: lanes }, (_, lane) => {
    const lines = spool.read(lane, 0).toString().split('\n');
    return lines.flatMap((line) => messageIn(line)?.position ?? []);
  });
}
