import type { Exchange } from '../http/exchange.ts';
import type { Call, Operation, Ports, Reply } from '../operations/operation.ts';
import { Problem } from '../replies/problem.ts';

/** Where an operation is served. */
interface Serving {
  readonly ports: Pick<Ports, 'documents' | 'log'>;
  /** The service whose log the read model follows. */
  readonly service: string;
}

/**
 * Answers from a read model: first it waits, as long as the caller prefers, until the model has what the caller has seen;
 * then it answers with what is there, and says in Consistency-Token how far that is. Only where it has what was asked for
 * does it say that the preference was applied; with `handling=strict` it is 503 otherwise. Throws the 400 problem when the
 * token was given for another school.
 * @see RFC 7240 §3, §4.3, §4.4
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
    const { position, wait, isStrict } = call.seen;
    const isThere = await documents.waitFor(readModel, service, lane, position, wait);
    if (!isThere && isStrict) throw late();
    if (isThere && wait > 0) context.set('preference-applied', `wait=${wait / 1000}`);
  }
  // Looked at before the documents are read: what they show is at least this.
  const position = await documents.checkpoint(readModel, service, lane);
  return { observed: { lane, position }, ...(await run()) };
}

const late = (): Problem =>
  new Problem('temporarily_unavailable', 'The list does not have yet what Consistency-Token names', {
    headers: { 'Retry-After': '1' },
  });
