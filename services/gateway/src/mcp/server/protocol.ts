import type { IncomingHttpHeaders } from 'node:http';
import type { ModulePorts } from '@lyceum/service';
import {
  type McpHttpHandler,
  type Server,
  type ServerEventBus,
  createMcpHandler,
  isLegacyRequest,
} from '@modelcontextprotocol/server';
import { answerOlder, readsStreams } from './older-revisions.ts';
import { Streams } from '../streams/subscriptions.ts';
import { type ServerDefinition, type CallContext, serverFor } from './server-definition.ts';
import { webRequest } from './web-exchange.ts';

/** One message for the SDK. */
export interface ProtocolRequest {
  /** Headers of the request: those of the protocol, and what the client reads. */
  readonly headers: IncomingHttpHeaders;
  readonly message: unknown;
  readonly call: CallContext;
  /** The methods that the message calls. */
  readonly called: readonly string[];
  /** Ends what works for it. */
  readonly gone: AbortSignal;
}

/** The official SDK: it knows both eras of the protocol, and gets a server of its own for every message. */
export class Protocol {
  readonly streams: Streams;
  readonly #asked = new WeakMap<Request, ProtocolRequest>();
  readonly #surface: ServerDefinition;
  readonly #logger: Pick<ModulePorts['logger'], 'debug'>;
  readonly #plain: McpHttpHandler;

  constructor(definition: ServerDefinition, logger: Pick<ModulePorts['logger'], 'debug'>) {
    this.#surface = definition;
    this.#logger = logger;
    this.#plain = this.#open();
    this.streams = new Streams((bus, maxSubscriptions) => this.#open({ bus, maxSubscriptions }));
  }

  /** The SDK's answer; of `handler`, where it is one of the streams. */
  async answer(asked: ProtocolRequest, handler: McpHttpHandler = this.#plain): Promise<Response> {
    const { headers, message, call, gone } = asked;
    const web = webRequest(headers, call.caller.school.baseUrl, gone);
    if (await isLegacyRequest(web, message))
      return answerOlder(this.#server(asked), web, message, readsStreams(headers));
    this.#asked.set(web, asked);
    return handler.fetch(web, { parsedBody: message });
  }

  async close(): Promise<void> {
    await this.streams.close();
    await this.#plain.close();
  }

  #server({ call, called }: ProtocolRequest): Server {
    return serverFor(this.#surface, call, called);
  }

  #open(more: { bus?: ServerEventBus; maxSubscriptions?: number } = {}): McpHttpHandler {
    return createMcpHandler(
      ({ requestInfo }) => {
        const asked = requestInfo && this.#asked.get(requestInfo);
        if (!asked) throw new Error('the SDK was called with a request of its own');
        return this.#server(asked);
      },
      { ...more, legacy: 'reject', onerror: (err) => this.#logger.debug({ err }, 'an MCP request was refused') },
    );
  }
}
