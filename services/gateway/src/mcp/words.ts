import type { IncomingHttpHeaders } from 'node:http';

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
  const { id, ...said } = message;
  const { method, params } = said;
  if (typeof method !== 'string' || (typeof id !== 'string' && !Number.isSafeInteger(id))) return undefined;
  if (!isPlainObject(params ?? {}) || Object.keys(headers).some((name) => name.startsWith('mcp-param-')))
    return undefined;
  const { arguments: given, ...rest } = (params ?? {}) as Readonly<Record<string, unknown>>;
  const isCall = method === 'tools/call' && given !== undefined;
  if (isCall && (!isPlainObject(given) || Object.hasOwn(given, '__proto__'))) return undefined;
  const plain = isCall ? { ...said, params: { ...rest, arguments: {} } } : said;
  const spoken = ['mcp-protocol-version', 'mcp-method', 'mcp-name'].map((name) => headers[name] ?? null);
  const key = JSON.stringify([spoken, plain]);
  if (key.length > longest) return undefined;
  const under = (other: string) => ({ ...plain, id: other });
  return {
    key,
    method,
    id: id as string | number,
    name: String(rest['name']),
    given: isCall ? (given as Words['given']) : {},
    under,
  };
}

const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
