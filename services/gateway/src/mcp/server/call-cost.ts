import { mayHold } from '@lyceum/contracts';
import type { ServerDefinition } from './server-definition.ts';
import { type Caller, demand } from './caller.ts';

interface Message {
  readonly method?: unknown;
  readonly params?: { readonly name?: unknown; readonly arguments?: unknown };
}

/** Things that are read for one unit of a quota. */
const readsPerUnit = 5;
/** Rows of a list that are read for one unit. */
const rowsPerUnit = 50;

/** What a body costs: each message 1, and a call that names or asks for many things as much more as it makes services read. */
export const costOf = (body: unknown): number =>
  Array.isArray(body) ? body.reduce((cost: number, message) => cost + costOfOne(message), 0) : costOfOne(body);

function costOfOne(message: unknown): number {
  const given = (message as Message | null)?.params?.arguments;
  if (given === null || typeof given !== 'object') return 1;
  const { ids, include, limit } = given as {
    readonly ids?: unknown;
    readonly include?: unknown;
    readonly limit?: unknown;
  };
  const reads = (Array.isArray(ids) ? ids.length : 0) + (Array.isArray(include) ? include.length : 0);
  const rows = typeof limit === 'number' ? Math.min(limit, 1_000) : 0;
  return Math.max(1, Math.ceil(reads / readsPerUnit), Math.ceil(rows / rowsPerUnit));
}

const messages = (body: unknown): readonly Message[] =>
  [body].flat().filter((each): each is Message => each !== null && typeof each === 'object');

/** The methods that a body calls. */
export const methodsOf = (body: unknown): readonly string[] =>
  messages(body).flatMap(({ method }) => (typeof method === 'string' ? [method] : []));

/**
 * Refuses a token that lacks a scope of a tool that is called, before anything of the request is done: on this clients sign
 * in again and ask for more. What the role may never hold is no reason to sign in again; the tool itself says so.
 */
export function demandScopes(body: unknown, caller: Caller, definition: ServerDefinition): void {
  const { principal } = caller;
  if (!principal) return;
  for (const { method, params } of messages(body)) {
    const name = params?.name;
    if (method !== 'tools/call' || typeof name !== 'string') continue;
    const scopes = definition.scopesOf(name) ?? [];
    if (scopes.every((scope) => mayHold(principal.role, scope))) demand(caller, scopes, `The tool ${name}`);
  }
}
