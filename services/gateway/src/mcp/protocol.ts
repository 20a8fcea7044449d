import type { IncomingHttpHeaders } from 'node:http';
import type { ModulePorts } from '@lyceum/runtime';
import { type McpHttpHandler, type ServerEventBus, createMcpHandler } from '@modelcontextprotocol/server';
import { Streams } from './streams.ts';
import { type Answering, type Surface, type Visit, serverFor } from './surface.ts';
import { webRequest } from './web-exchange.ts';

/** One message for the SDK. */
export interface Asking {
  /** Headers of the request, of which the SDK reads those of the protocol. */
  readonly headers: IncomingHttpHeaders;
  readonly message: unknown;
  readonly visit: Visit;
  /** The methods that the message calls. */
  readonly called: readonly string[];
  /** Ends what works for it. */
  readonly gone: AbortSignal;
  /** Answers in place of the surface's own. */
  readonly methods?: Readonly<Record<string, Answering>> | undefined;
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
  answer(asking: Asking, handler: McpHttpHandler = this.#plain): Promise<Response> {
    const web = webRequest(asking.headers, asking.visit.caller.school.baseUrl, asking.gone);
    this.#asked.set(web, asking);
    return handler.fetch(web, { parsedBody: asking.message });
  }

  async close(): Promise<void> {
    await this.streams.close();
    await this.#plain.close();
  }

  #open(more: { bus?: ServerEventBus; maxSubscriptions?: number } = {}): McpHttpHandler {
    return createMcpHandler(
      ({ requestInfo }) => {
        const asking = requestInfo && this.#asked.get(requestInfo);
        if (!asking) throw new Error('a request came in by no door');
        const { visit, called, methods } = asking;
        return serverFor(methods ? { ...this.#surface, methods } : this.#surface, visit, called);
      },
      { ...more, onerror: (err) => this.#logger.debug({ err }, 'an MCP request was refused') },
    );
  }
}
