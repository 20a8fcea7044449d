import type { MongoClient, Timestamp } from 'mongodb';

/**
 * Has every operation of a client see all that the operations before it have seen or written, whoever began them: right
 * after an election a majority read without this may answer from before what was acknowledged, for a while. A server that
 * is not so far yet waits until it is, or the operation is out of time. Servers that tell no time of an operation
 * (FerretDB, MongoDB without a replica set) are asked as ever.
 */
export function readCausally(client: MongoClient): void {
  let seen: Timestamp | undefined;
  const begin = client.startSession.bind(client);
  // The driver begins a session of its own for each operation here, and ends it before the caller has the answer.
  client.startSession = (options) => {
    const session = begin({ causalConsistency: true, ...options });
    if (seen) session.advanceOperationTime(seen);
    session.once('ended', () => {
      const { operationTime } = session;
      if (operationTime && (!seen || operationTime.greaterThan(seen))) seen = operationTime;
    });
    return session;
  };
}
