import {
  type Documents,
  type Feed,
  type Projection,
  type ReadModel,
  incomingFromCommit,
  readModel,
} from '@lyceum/documents';
import { type EventLog, followLog } from '@lyceum/eventlog';

/** A read model of one document for each stream, with two fields to query by. */
export const courses: Projection = {
  collection: { name: 'courses', version: 1, fields: { title: 'text', price: 'number' } },
  key: (event) => event.stream,
  project: (event, before) => {
    const { title, price } = event.data as { title: string; price: number };
    return { title, price, changes: Number(before?.['changes'] ?? 0) + 1 };
  },
};

export const source = 'bench';

/** The read model over a log, fed as services feed theirs; it may take all the time there is. */
export function coursesOf(log: EventLog, documents: Documents): Promise<ReadModel> {
  const feed: Feed = ({ from, handle, batch }) =>
    followLog(log, { from, batch, handle: (commits) => handle(commits[0]!.lane, commits.map(incomingFromCommit)) });
  return readModel({ documents, projection: courses, source, feed, owner: 'bench', share: 1 });
}
