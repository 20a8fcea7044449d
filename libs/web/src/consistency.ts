import type { Exchange } from './exchange.ts';
import type { Call, Operation, Ports, Reply } from './operation.ts';
import { Problem } from './problem.ts';

/** Where an operation is served. */
interface Serving {
  readonly ports: Pick<Ports, 'documents' | 'log'>;
  /** The service whose log the read model follows. */
  readonly service: string;
}

/**
 * Answers from a read model: first it waits, as long as the caller prefers, until the model has what the caller has seen;
 * then it answers with what is there, and says in Consistency-Token how far that is. Throws the 400 problem when the token
 * was given for another school.
 * @see RFC 7240 §4.3
 */
export async function consistently(
  context: Exchange,
  { readModel }: Operation,
  call: Call,
  { ports, service }: Serving,
  run: () => Promise<Reply>,
): Promise<Reply> {
  if (!readModel) return run();
  const { documents, log } = ports;
  const lane = log.laneOf(call.school);
  if (call.seen) {
    if (call.seen.lane !== lane) throw new Problem('invalid_request', 'Consistency-Token is not one of this school');
    await documents.waitFor(readModel, service, lane, call.seen.position, call.seen.wait);
    if (call.seen.wait > 0) context.set('preference-applied', `wait=${call.seen.wait / 1000}`);
  }
  // Looked at before the documents are read: what they show is at least this.
  const position = await documents.checkpoint(readModel, service, lane);
  return { observed: { lane, position }, ...(await run()) };
}
