import { type Incoming, incomingFromCommit } from '@lyceum/documents';
import type { EventLog } from '@lyceum/eventlog';

/** Reads the events of one commit of a log again. */
export const rereadIn =
  (log: Pick<EventLog, 'readLane'>) =>
  async (lane: number, position: number): Promise<readonly Incoming[]> => {
    const [commit] = await log.readLane(lane, position - 1, 1);
    if (!commit) throw new Error(`nothing stands at position ${position} of lane ${lane}`);
    return incomingFromCommit(commit).events;
  };
