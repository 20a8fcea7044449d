import type { Scope } from '@lyceum/contracts';
import { type Implementation, Server, type ServerContext, type ServerOptions } from '@modelcontextprotocol/server';
import type { Api } from '../../upstream/school-api.ts';
import type { Caller } from './caller.ts';

/** Who asks, and the school's operations as they see them. */
export interface CallContext {
  readonly caller: Caller;
  readonly api: Api;
}

/** Answers one method of the protocol. */
export type MethodHandler = (
  params: Readonly<Record<string, unknown>>,
  call: CallContext,
  context: ServerContext,
) => unknown;

/** Everything that a server offers, prepared once: a request adds nothing but who asks. */
export interface ServerDefinition {
  readonly info: Implementation;
  readonly options: ServerOptions;
  readonly instructions?: (call: CallContext) => string;
  /** By method. `initialize`, `server/discover` and `ping` are answered by the SDK. */
  readonly methods: Readonly<Record<string, MethodHandler>>;
  /** The scopes that a token must hold for a call of this tool; undefined when there is no such tool. */
  readonly scopesOf: (tool: string) => readonly Scope[] | undefined;
}

/**
 * A server for one request. It is never shared: the SDK keeps what it hears of a client in the instance. Only the methods
 * that the request calls are registered, which is most of what a server costs.
 */
export function serverFor(definition: ServerDefinition, call: CallContext, called: readonly string[]): Server {
  const { info, options, instructions, methods } = definition;
  const server = new Server(info, instructions ? { ...options, instructions: instructions(call) } : options);
  for (const method of new Set(called)) {
    const answer = Object.hasOwn(methods, method) ? methods[method] : undefined;
    if (answer)
      server.setRequestHandler(method as 'tools/call', (request, context) => {
        return answer((request.params ?? {}) as Record<string, unknown>, call, context) as never;
      });
  }
  return server;
}
