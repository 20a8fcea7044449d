import type { IncomingHttpHeaders } from 'node:http';
import { readsStreams } from './older-revisions.ts';

/** A request of the protocol, apart from what changes with every request. */
export interface Words {
  /** The same for requests that are put in the same words. */
  readonly key: string;
  readonly method: string;
  readonly id: string | number;
  /** Of a call: the tool, and what it is called with. */
  readonly name: string;
  readonly given: Readonly<Record<string, unknown>>;
  /** The same message under another id, with no arguments in it. */
  under(id: string): unknown;
}

/** Longer ones are not worth remembering, characters. */
const longest = 2_048;

/**
 * What a message says beside its id and the arguments of a call: nothing else of it, and these headers, decide how the
 * protocol takes it. Undefined for whatever is not one plain request.
 */
export function wordsOf(headers: IncomingHttpHeaders, message: unknown): Words | undefined {
  if (!isPlainObject(message)) return undefined;
  const { id, method, params = none } = message;
  if (typeof method !== 'string' || (typeof id !== 'string' && !Number.isSafeInteger(id))) return undefined;
  if (!isPlainObject(params ?? none) || Object.keys(headers).some((name) => name.startsWith('mcp-param-')))
    return undefined;
  const { name, arguments: given } = (params ?? none) as Readonly<Record<string, unknown>>;
  const isCall = method === 'tools/call' && given !== undefined;
  if (isCall && (!isPlainObject(given) || Object.hasOwn(given, '__proto__'))) return undefined;
  const heard = [headers['mcp-protocol-version'], headers['mcp-method'], headers['mcp-name']];
  const said: unknown[] = [...heard, readsStreams(headers), isCall];
  for (const member in message)
    if (member === 'params' && isPlainObject(params)) said.push(member, saidIn(params, isCall));
    else if (member !== 'id') said.push(member, message[member]);
  const key = JSON.stringify(said);
  if (key.length > longest) return undefined;
  return {
    key,
    method,
    id: id as string | number,
    name: String(name),
    given: isCall ? (given as Words['given']) : {},
    under: (other) => ({ ...message, id: other, ...(isCall && { params: { ...(params as object), arguments: {} } }) }),
  };
}

/** Members and their values, one after the other: to list them costs less than to copy what they are in. */
function saidIn(params: Readonly<Record<string, unknown>>, isCall: boolean): unknown[] {
  const said: unknown[] = [];
  for (const member in params) if (!isCall || member !== 'arguments') said.push(member, params[member]);
  return said;
}

const none = {};

const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
