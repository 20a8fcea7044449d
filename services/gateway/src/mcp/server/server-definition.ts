import type { Scope } from '@lyceum/contracts';
import { type Implementation, Server, type ServerContext, type ServerOptions } from '@modelcontextprotocol/server';
import type { Api } from '../../upstream/school-api.ts';
import type { Caller } from './caller.ts';

/** Who asks, and the school's operations as they see them. */
export interface Visit {
  readonly caller: Caller;
  readonly api: Api;
}

/** Answers one method of the protocol. */
export type Answering = (params: Readonly<Record<string, unknown>>, visit: Visit, context: ServerContext) => unknown;

/** What a tool that only reads has given: its data as JSON, or a sentence about why there is none. */
export interface Read {
  readonly shape: 'data' | 'failed';
  readonly text: string;
}

/** Calls a tool that only reads. Undefined when what it gave is neither, or it broke down: then it is called once more. */
export type Reader = (given: Readonly<Record<string, unknown>>, visit: Visit) => Promise<Read | undefined>;

/** Everything that a server offers, prepared once: a request adds nothing but who asks. */
export interface Surface {
  readonly info: Implementation;
  readonly options: ServerOptions;
  readonly instructions?: (visit: Visit) => string;
  /** By method. `initialize`, `server/discover` and `ping` are answered by the SDK. */
  readonly methods: Readonly<Record<string, Answering>>;
  /** The scopes that a token must hold for a call of this tool; undefined when there is no such tool. */
  readonly scopesOf: (tool: string) => readonly Scope[] | undefined;
  /** Methods whose answers depend on the words of the request and on this text, and on nothing else. */
  readonly steady?: Readonly<Record<string, (visit: Visit) => string>>;
  /** A tool that only reads, knows nothing of the protocol, and may be called twice. */
  readonly read?: (tool: string) => Reader | undefined;
}

/**
 * A server for one request. It is never shared: the SDK keeps what it hears of a client in the instance. Only the methods
 * that the request calls are registered, which is most of what a server costs.
 */
export function serverFor(surface: Surface, visit: Visit, called: readonly string[]): Server {
  const { info, options, instructions, methods } = surface;
  const server = new Server(info, instructions ? { ...options, instructions: instructions(visit) } : options);
  for (const method of new Set(called)) {
    const answer = Object.hasOwn(methods, method) ? methods[method] : undefined;
    if (answer)
      server.setRequestHandler(method as 'tools/call', (request, context) => {
        return answer((request.params ?? {}) as Record<string, unknown>, visit, context) as never;
      });
  }
  return server;
}
