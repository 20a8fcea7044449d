import { readJsonObject } from '../endpoint/body.ts';
import type { Step } from '../endpoint/exchange.ts';
import { seconds } from '../writing.ts';
import { readClientMetadata } from './client-metadata.ts';
import { registerClient } from './client-registry.ts';

/** Reads the request: a JSON object. @see RFC 7591 §3.1 */
export const readMetadata: Step = async (exchange) => {
  exchange.know('metadata', await readJsonObject(exchange.request));
};

/**
 * Registers the client and answers with everything that is registered, defaults and substitutions included.
 * @see RFC 7591 §3.2.1
 */
export const answerRegistration: Step = async (exchange) => {
  const { ports, school, requestId } = exchange;
  const metadata = readClientMetadata(exchange.the('metadata'));
  const { id, secret } = await registerClient(ports, school.id, metadata, requestId);
  exchange.reply = {
    status: 201,
    body: {
      client_id: id,
      client_id_issued_at: seconds(ports.clock),
      ...(secret === undefined ? {} : { client_secret: secret, client_secret_expires_at: 0 }),
      ...metadata,
    },
  };
};
