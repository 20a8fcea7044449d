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

/** Everything that a server offers, prepared once: a request adds nothing but who asks. */
export interface Surface {
  readonly info: Implementation;
  readonly options: ServerOptions;
  readonly instructions?: (visit: Visit) => string;
  /** By method. `initialize`, `server/discover` and `ping` are answered by the SDK. */
  readonly methods: Readonly<Record<string, Answering>>;
  /** The scopes that a token must hold for a call of this tool; undefined when there is no such tool. */
  readonly scopesOf: (tool: string) => readonly Scope[] | undefined;
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
