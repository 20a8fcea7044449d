import { createHash } from 'node:crypto';
import { type Commit, type EventLog, type Vault, omitPersonal } from '@lyceum/eventlog';
import { type Asked, type Moving, republishedStream } from '@lyceum/service';
import { type BodyLine, type Header, type StoredCommitLine, exportFormat } from './wire.ts';

/** A service as far as schools move in and out of it. */
export interface MovingService {
  readonly name: string;
  /** The log as it is stored: what is personal in it is encrypted. */
  readonly stored: EventLog;
  readonly vault: Vault;
  readonly moving: Moving;
}

/** What leaves, and how. */
export interface Leaving {
  readonly school: string;
  /** Its own name for this departure. */
  readonly departure: string;
  /** RFC 3339 UTC. */
  readonly at: string;
  readonly place: unknown;
  readonly asked: Asked;
  /** The one that gives places last: a school is seen once its commits are there. */
  readonly services: readonly MovingService[];
}

const page = 256;
const subjectsPage = 500;

/**
 * A school as lines of JSON, of the moment of the call: every commit of its own in every service, in lane order, between
 * a line that says what it is and one that says whether it is whole. A page of each lane is in memory at a time.
 */
export async function* depart(leaving: Leaving): AsyncGenerator<string> {
  const { school, departure, at, place, asked } = leaving;
  const services = await Promise.all(
    leaving.services.map(async (service) => {
      const lane = service.stored.laneOf(school);
      return { ...service, lane, head: await service.stored.head(lane) };
    }),
  );
  const header: Header = {
    format: exportFormat,
    school,
    departure,
    at,
    place,
    personal: asked.personal,
    signing_keys: asked.signingKeys,
    services: services.map(({ name, lane, head }) => ({ name, lane, head })),
  };
  const hash = createHash('sha256');
  let count = 0;
  const text = (values: readonly (Header | BodyLine)[]): string => {
    const lines = values.map((value) => `${JSON.stringify(value)}\n`).join('');
    hash.update(lines);
    count += values.length;
    return lines;
  };
  yield text([header]);
  for (const service of services) {
    if (asked.personal) for await (const lines of keysOf(school, service)) yield text(lines);
    for await (const lines of commitsOf(school, service, asked)) yield text(lines);
  }
  yield `${JSON.stringify({ end: { lines: count, sha256: hash.digest('hex') } })}\n`;
}

async function* keysOf(school: string, { name: service, vault }: MovingService): AsyncGenerator<readonly BodyLine[]> {
  const key = await vault.schoolKey(school);
  if (!key) return;
  yield [{ service, key: key.toString('base64') }];
  for (let after = '', more = true; more;) {
    const subjects = await vault.subjects(school, after, subjectsPage);
    if (subjects.length > 0) yield [{ service, subjects: [...subjects] }];
    after = subjects.at(-1)?.subject ?? after;
    more = subjects.length === subjectsPage;
  }
}

async function* commitsOf(
  school: string,
  { name: service, stored, moving, lane, head }: MovingService & { readonly lane: number; readonly head: number },
  asked: Asked,
): AsyncGenerator<readonly BodyLine[]> {
  for (let after = 0; after < head;) {
    const commits = await stored.readLane(lane, after, Math.min(page, head - after));
    after = commits.at(-1)?.position ?? head;
    const own = commits.filter((commit) => commit.tenant === school && leaves(commit, moving, asked));
    if (own.length > 0)
      yield own.map((commit) => ({ service, commit: lineOf(asked.personal ? commit : omitPersonal(commit)) }));
  }
}

/** A commit leaves as a whole or not at all: the ids of its events depend on all of them. */
function leaves({ commitId, streams }: Commit, { stays }: Moving, asked: Asked): boolean {
  const staying = streams.filter(({ id }) => id === republishedStream || stays?.(id, asked) === true).length;
  if (staying > 0 && staying < streams.length) throw new Error(`commit ${commitId} would leave in part`);
  return staying === 0;
}

/** When a commit came here says nothing elsewhere. */
function lineOf({ position, commitId: id, at, meta, fingerprint, streams, events }: Commit): StoredCommitLine {
  const { arrived: _, ...own } = meta;
  return {
    position,
    id,
    at,
    fingerprint,
    meta: own,
    streams: streams.map((touched) => ({ ...touched })),
    events: events.map(({ stream, type, schema, data }) => ({ stream, type, schema, data })),
  };
}
