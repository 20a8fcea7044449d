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
import { type Surface, type Visit, serverFor } from './server-definition.ts';
import { webRequest } from './web-exchange.ts';

/** One message for the SDK. */
export interface Asking {
  /** Headers of the request: those of the protocol, and what the client reads. */
  readonly headers: IncomingHttpHeaders;
  readonly message: unknown;
  readonly visit: Visit;
  /** The methods that the message calls. */
  readonly called: readonly string[];
  /** Ends what works for it. */
  readonly gone: AbortSignal;
}

/** The official SDK: it knows both eras of the protocol, and gets a server of its own for every message. */
export class Protocol {
  readonly streams: Streams;
  readonly #asked = new WeakMap<Request, Asking>();
  readonly #surface: Surface;
  readonly #logger: Pick<ModulePorts['logger'], 'debug'>;
  readonly #plain: McpHttpHandler;

  constructor(surface: Surface, logger: Pick<ModulePorts['logger'], 'debug'>) {
    this.#surface = surface;
    this.#logger = logger;
    this.#plain = this.#open();
    this.streams = new Streams((bus, maxSubscriptions) => this.#open({ bus, maxSubscriptions }));
  }

  /** The SDK's answer; of `handler`, where it is one of the streams. */
  async answer(asking: Asking, handler: McpHttpHandler = this.#plain): Promise<Response> {
    const { headers, message, visit, gone } = asking;
    const web = webRequest(headers, visit.caller.school.baseUrl, gone);
    if (await isLegacyRequest(web, message))
      return answerOlder(this.#server(asking), web, message, readsStreams(headers));
    this.#asked.set(web, asking);
    return handler.fetch(web, { parsedBody: message });
  }

  async close(): Promise<void> {
    await this.streams.close();
    await this.#plain.close();
  }

  #server({ visit, called }: Asking): Server {
    return serverFor(this.#surface, visit, called);
  }

  #open(more: { bus?: ServerEventBus; maxSubscriptions?: number } = {}): McpHttpHandler {
    return createMcpHandler(
      ({ requestInfo }) => {
        const asking = requestInfo && this.#asked.get(requestInfo);
        if (!asking) throw new Error('a request came in by no door');
        return this.#server(asking);
      },
      { ...more, legacy: 'reject', onerror: (err) => this.#logger.debug({ err }, 'an MCP request was refused') },
    );
  }
}
