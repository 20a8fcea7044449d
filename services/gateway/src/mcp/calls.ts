import type { Surface } from './surface.ts';
import { type Caller, demand } from './caller.ts';

interface Message {
  readonly method?: unknown;
  readonly params?: { readonly name?: unknown };
}

const messages = (body: unknown): readonly Message[] =>
  [body].flat().filter((each): each is Message => each !== null && typeof each === 'object');

/** The methods that a body calls. */
export const methodsOf = (body: unknown): readonly string[] =>
  messages(body).flatMap(({ method }) => (typeof method === 'string' ? [method] : []));

/** Refuses a token that lacks a scope of a tool that is called, before anything of the request is done. */
export function demandScopes(body: unknown, caller: Caller, surface: Surface): void {
  if (!caller.principal) return;
  for (const { method, params } of messages(body)) {
    const name = params?.name;
    if (method !== 'tools/call' || typeof name !== 'string') continue;
    demand(caller, surface.scopesOf(name) ?? [], `The tool ${name}`);
  }
}
