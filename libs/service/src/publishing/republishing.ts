import type { Fact } from '@lyceum/channel';
import type { Commit, EventLog } from '@lyceum/eventlog';
import type { EventTypes, RecordedEvent } from '@lyceum/kernel';
import { z } from 'zod';

/** The stream, in a school's tenant, that says what of its log was published later. It stays when the school moves. */
export const republishedStream = 'facts';

/** What the log of any service says of its own facts. */
export const republishingEvents = {
  /** The commits at these positions of the lane could not be published before; they are published here. */
  FactsRetold: { version: 1, data: z.object({ positions: z.array(z.number().int()) }) },
  /** So is everything after this position, up to here; then nothing is left. */
  FactsRetoldSince: { version: 1, data: z.object({ after: z.number().int() }) },
} as const satisfies EventTypes;

const stride = 256;
const resumedType = 'lyceum.facts-resumed';

/** The fact that everything of a school is published again; undefined for any other event. */
export const resumedFactOf = ({ type, id, stream }: RecordedEvent): Fact | undefined =>
  type === resumedType ? { id, type: 'FactsResumed', schema: 1, subject: stream, version: 0, data: {} } : undefined;

/** The events that a commit publishes again, in the order in which they happened. */
export async function republishedBy(log: Pick<EventLog, 'readLane'>, commit: Commit): Promise<Commit['events']> {
  const republished: RecordedEvent[] = [];
  const add = (found: readonly Commit[]) => {
    for (const { tenant, position, events } of found)
      if (tenant === commit.tenant && position < commit.position)
        republished.push(...events.filter((event) => event.stream !== republishedStream));
  };
  for (const { id, stream, type, data } of commit.events.filter((event) => event.stream === republishedStream)) {
    if (type === 'FactsRetold') {
      const { positions } = republishingEvents.FactsRetold.data.parse(data);
      for (const position of positions) add(await log.readLane(commit.lane, position - 1, 1));
      continue;
    }
    const { after } = republishingEvents.FactsRetoldSince.data.parse(data);
    for (let at = after; at < commit.position - 1;) {
      const found = await log.readLane(commit.lane, at, Math.min(stride, commit.position - 1 - at));
      add(found);
      at = found.at(-1)?.position ?? commit.position;
    }
    republished.push({ id, stream, version: 0, type: resumedType, schema: 1, data: {} });
  }
  return republished;
}
