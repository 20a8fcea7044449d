import { uuidv5 } from '@lyceum/kernel';
import { clientDecider, isFresh } from '../../domain/clients/client.ts';
import { lifetimes } from '../../domain/lifetimes.ts';
import { streamOf } from '../../domain/streams.ts';
import { seconds, write } from '../../domain/write.ts';
import type { Step } from '../../http/exchange/exchange.ts';
import { clientSlot } from '../clients/requesting-client.ts';

/**
 * Notes, at most once a day, that the client got tokens: it keeps its registration. A note that fails harms nobody: the
 * next use makes up for it long before the registration ends.
 */
export const recordClientUse: Step = async (exchange) => {
  const { ports, school, requestId } = exchange;
  const known = exchange.require(clientSlot);
  const { id, kind } = known;
  const stream = kind === 'registered' ? streamOf('client', id) : undefined;
  if (stream === undefined) return;
  const now = seconds(ports.clock);
  // What was read a moment ago says so already, as a rule.
  if (isFresh(known, now)) return;
  const day = Math.floor(now / lifetimes.clientUseNoted);
  const meta = { actor: 'system', client: id, correlation: requestId };
  // Many at once write one note: its id is that of the day.
  const target = { school: school.id, stream, meta, commitId: uuidv5('client-use', school.id, id, day) };
  try {
    await write(ports, clientDecider, target, { type: 'UseClient', now });
  } catch (err) {
    ports.logger.error({ err, request_id: requestId, client: id }, 'the use of a client could not be noted');
  }
};
