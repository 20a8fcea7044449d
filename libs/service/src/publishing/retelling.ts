import type { Fact } from '@lyceum/channel';
import type { Commit, EventLog } from '@lyceum/eventlog';
import type { EventTypes, RecordedEvent } from '@lyceum/kernel';
import { z } from 'zod';

/** The stream, in a school's tenant, that says what of its log was told later. It stays when the school moves. */
export const retoldStream = 'facts';

/** What the log of any service may say of its own facts. */
export const retellingEvents = {
  /** The commits at these positions of the lane could not be told before; they are told here. */
  FactsRetold: { version: 1, data: z.object({ positions: z.array(z.number().int()) }) },
  /** So is everything after this position, up to here; then nothing is left. */
  FactsRetoldSince: { version: 1, data: z.object({ after: z.number().int() }) },
} as const satisfies EventTypes;

const stride = 256;
const resumedType = 'lyceum.facts-resumed';

/** The fact that everything of a school is told again; undefined for any other event. */
export const retoldIn = ({ type, id, stream }: RecordedEvent): Fact | undefined =>
  type === resumedType ? { id, type: 'FactsResumed', schema: 1, subject: stream, version: 0, data: {} } : undefined;

/** The events that a commit tells again, in the order in which they happened. */
export async function retelling(log: Pick<EventLog, 'readLane'>, commit: Commit): Promise<Commit['events']> {
  const told: RecordedEvent[] = [];
  const tell = (found: readonly Commit[]) => {
    for (const { tenant, position, events } of found)
      if (tenant === commit.tenant && position < commit.position)
        told.push(...events.filter((event) => event.stream !== retoldStream));
  };
  for (const { id, stream, type, data } of commit.events.filter((event) => event.stream === retoldStream)) {
    if (type === 'FactsRetold') {
      const { positions } = retellingEvents.FactsRetold.data.parse(data);
      for (const position of positions) tell(await log.readLane(commit.lane, position - 1, 1));
      continue;
    }
    const { after } = retellingEvents.FactsRetoldSince.data.parse(data);
    for (let at = after; at < commit.position - 1;) {
      const found = await log.readLane(commit.lane, at, Math.min(stride, commit.position - 1 - at));
      tell(found);
      at = found.at(-1)?.position ?? commit.position;
    }
    told.push({ id, stream, version: 0, type: resumedType, schema: 1, data: {} });
  }
  return told;
}
