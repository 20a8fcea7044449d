import { isoTime } from '@lyceum/kernel';
import { ensureClientCapacity } from '../../domain/clients/client-limit.ts';
import { registerClient } from '../../domain/clients/client-registry.ts';
import { readClientMetadata } from '../../domain/clients/metadata/client-metadata.ts';
import { type Step, refusing } from '../../http/exchange/exchange.ts';
import { slot } from '../../http/exchange/slot.ts';
import { readJsonObject } from '../../http/requests/body.ts';
import { clientInformation } from './client-information.ts';

/** The client metadata that the request sends. */
export const metadataSlot = slot<Readonly<Record<string, unknown>>>('the metadata');

/** Reads the request: a JSON object. @see RFC 7591 §3.1 */
export const readMetadata: Step = refusing(['invalid_request'], async (exchange) => {
  exchange.set(metadataSlot, await readJsonObject(exchange.request));
});

/**
 * Registers the client and answers with everything that is registered, and with the token that manages it.
 * @see RFC 7591 §3.2.1, RFC 7592 §3
 */
export const answerRegistration: Step = refusing(
  ['invalid_redirect_uri', 'invalid_client_metadata', 'invalid_software_statement', 'outcome_unknown'],
  async (exchange) => {
    const { ports, school, requestId } = exchange;
    const metadata = readClientMetadata(exchange.require(metadataSlot), ports);
    await ensureClientCapacity(ports, school.id);
    const registered = isoTime(ports.clock.now());
    const { id, ...tokens } = await registerClient(ports, school.id, metadata, requestId);
    exchange.reply = {
      status: 201,
      body: clientInformation(school, { id, client: { metadata, registered }, ...tokens }),
    };
  },
);
