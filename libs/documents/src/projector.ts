import { fieldsOf } from './fields.ts';
import type { Incoming, IncomingCommit } from './incoming.ts';
import { CheckpointFenced, type Collection, type Documents, type Write } from './port.ts';
import type { Projection } from './projection.ts';

/** What a projector works with. */
export interface ProjectorOptions {
  readonly documents: Documents;
  readonly projection: Projection;
  /** The service whose events these are: its own log's name, or the source of channel messages. */
  readonly source: string;
  /** Hears of each batch once its documents can be read. */
  readonly onApplied?: (lane: number, position: number) => void;
}

/** Builds one read model from the lanes of one source. */
export interface Projector {
  /** Position up to which the lane has been applied: where to go on. */
  from(lane: number): Promise<number>;
  /**
   * Applies commits of one lane, ascending; those at or below the checkpoint are passed over, so a repeat changes nothing.
   * Documents and checkpoint move together. One batch of a lane at a time.
   * Throws `ProjectionFailed`, `ProjectionGap`, what the documents throw, or `CheckpointFenced` when it was overtaken five
   * times in a row: nothing of the batch is applied, and the caller tries again.
   */
  handle(lane: number, batch: readonly IncomingCommit[]): Promise<void>;
}

/** A projection could not take an event; `cause` says why. Nothing was skipped: the checkpoint is before the event's batch. */
export class ProjectionFailed extends Error {
  override readonly name = 'ProjectionFailed';
  readonly stream: string;
  readonly lane: number;
  readonly position: number;

  constructor(collection: string, stream: string, lane: number, position: number, cause: unknown) {
    super(`${collection} cannot take position ${position} of lane ${lane} (stream ${stream})`, { cause });
    this.stream = stream;
    this.lane = lane;
    this.position = position;
  }
}

/** The batch does not connect to the checkpoint: positions between were never given. */
export class ProjectionGap extends Error {
  override readonly name = 'ProjectionGap';

  constructor(lane: number, checkpoint: number, previous: number) {
    super(`lane ${lane} stands at ${checkpoint}, but the next commit follows ${previous}`);
  }
}

/** How often in a row a batch may be overtaken before the caller waits: without it, two projectors could chase each other. */
const mostFenced = 5;

/** Runs a projection over a source. The collection must be open, and each of its documents fed by this source alone. */
export function projector({ documents, projection, source, onApplied }: ProjectorOptions): Projector {
  const { collection } = projection;
  const checkpoints = new Map<number, number>();

  const from = async (lane: number): Promise<number> => {
    const known = checkpoints.get(lane) ?? (await documents.checkpoint(collection, source, lane));
    checkpoints.set(lane, known);
    return known;
  };

  return {
    from,
    async handle(lane, batch) {
      for (let fenced = 1; ; fenced += 1) {
        const at = await from(lane);
        const commits = freshOf(lane, batch, at);
        const to = commits.at(-1)?.position;
        if (to === undefined) return;
        const writes = await fold(documents, projection, lane, commits);
        try {
          await documents.apply(collection, source, lane, at, to, writes);
        } catch (error) {
          checkpoints.delete(lane);
          if (!(error instanceof CheckpointFenced) || fenced >= mostFenced) throw error;
          continue;
        }
        checkpoints.set(lane, to);
        onApplied?.(lane, to);
        return;
      }
    },
  };
}

/** The commits after the checkpoint, once it is sure that they follow it without a hole. */
function freshOf(lane: number, batch: readonly IncomingCommit[], checkpoint: number): readonly IncomingCommit[] {
  const fresh = batch.filter((commit) => commit.position > checkpoint);
  let at = checkpoint;
  for (const { previous, position } of fresh) {
    if (previous > at || position <= at) throw new ProjectionGap(lane, at, previous);
    at = position;
  }
  return fresh;
}

/** Folds the events over their documents, each read once. */
async function fold(
  documents: Documents,
  projection: Projection,
  lane: number,
  commits: readonly IncomingCommit[],
): Promise<readonly Write[]> {
  const { collection } = projection;
  const failed = (event: Incoming, cause: unknown): ProjectionFailed =>
    new ProjectionFailed(collection.name, event.stream, lane, event.position, cause);
  const steps = commits
    .flatMap((commit) => commit.events)
    .flatMap((event) => {
      try {
        const id = projection.key(event);
        return id === undefined ? [] : [{ event, id, key: JSON.stringify([event.tenant, id]) }];
      } catch (cause) {
        throw failed(event, cause);
      }
    });
  const bodies = await read(documents, collection, steps);
  for (const { event, id, key } of steps) {
    try {
      const body = projection.project(event, bodies.get(key)?.body ?? undefined);
      // Checked here as well as at the write, so that the failure names the event.
      if (body) fieldsOf(collection, body);
      bodies.set(key, { tenant: event.tenant, id, body });
    } catch (cause) {
      throw failed(event, cause);
    }
  }
  return [...bodies.values()];
}

/** The documents that the steps concern, each read once. */
async function read(
  documents: Documents,
  collection: Collection,
  steps: readonly { readonly event: Incoming; readonly id: string; readonly key: string }[],
): Promise<Map<string, Write>> {
  const wanted = new Map(steps.map(({ event, id, key }) => [key, { tenant: event.tenant, id }]));
  const found = [...wanted].map(async ([key, { tenant, id }]): Promise<[string, Write]> => {
    return [key, { tenant, id, body: (await documents.get(collection, tenant, id)) ?? null }];
  });
  return new Map(await Promise.all(found));
}
