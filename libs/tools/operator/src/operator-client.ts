import { openAsBlob } from 'node:fs';

/** A JSON object of the operator listener. */
export type Json = Readonly<Record<string, unknown>>;

/** The operator listener said no, or did not answer. The message is for the person at the keyboard. */
export class OperatorRefused extends Error {
  override readonly name = 'OperatorRefused';
}

/** Where the operator listener is, and what opens it. */
export interface OperatorApi {
  /** Origin, without a final slash. */
  readonly url: string;
  readonly token: string;
}

const timeout = 30_000;
const transferTimeout = 4 * 3_600_000;
const [mostPages, pageSize] = [100, 100];

/** What is sent. */
interface Sent {
  readonly type: string;
  readonly content: string | Blob;
}

/** The objects of a list in an answer; none when it is absent. */
export const rowsIn = (answer: Json, field = 'data'): readonly Json[] => (answer[field] ?? []) as readonly Json[];

/** The operator listener of one process. Throws `OperatorRefused`. */
export class OperatorClient {
  readonly #api: OperatorApi;

  constructor(api: OperatorApi) {
    this.#api = api;
  }

  /** Sends a request; `path` begins with `/internal`. An empty answer is an empty object. */
  send(method: string, path: string, json?: Json, { patient = false } = {}): Promise<Json> {
    const body = json ? { type: 'application/json', content: JSON.stringify(json) } : undefined;
    return this.#ask(method, path, patient ? transferTimeout : timeout, body);
  }

  /** Sends a file of lines of JSON. Throws `OperatorRefused` when it cannot be read, too. */
  async upload(path: string, file: string): Promise<Json> {
    const content = await openAsBlob(file).catch((cause: unknown) => {
      throw new OperatorRefused(`${file} cannot be read`, { cause });
    });
    return this.#ask('POST', path, transferTimeout, { type: 'application/x-ndjson', content });
  }

  /** What a path gives, as it comes. */
  async *download(path: string): AsyncGenerator<Uint8Array> {
    const answer = await this.#fetch('GET', path, transferTimeout);
    if (!answer.ok || answer.body === null) throw await refusalIn(answer, path);
    try {
      yield* answer.body;
    } catch (error) {
      throw new OperatorRefused(unreached(error, this.#api.url), { cause: error });
    }
  }

  async #ask(method: string, path: string, patience: number, body?: Sent): Promise<Json> {
    const answer = await this.#fetch(method, path, patience, body);
    if (!answer.ok) throw await refusalIn(answer, path);
    const text = await answer.text().catch((error: unknown) => {
      throw new OperatorRefused(unreached(error, this.#api.url), { cause: error });
    });
    const read = text === '' ? {} : parsed(text);
    if (read === undefined) throw new OperatorRefused(sentenceOf(answer.status, {}, path));
    return read;
  }

  /** The answer, whatever its status. */
  async #fetch(method: string, path: string, patience: number, body?: Sent): Promise<Response> {
    const { url, token } = this.#api;
    const headers = { authorization: `Bearer ${token}`, ...(body ? { 'content-type': body.type } : {}) };
    return fetch(`${url}${path}`, {
      method,
      headers,
      ...(body ? { body: body.content } : {}),
      redirect: 'error',
      signal: AbortSignal.timeout(patience),
    }).catch((error: unknown) => {
      throw new OperatorRefused(unreached(error, url), { cause: error });
    });
  }

  /** All items of a list, page after page. */
  async all(path: string): Promise<readonly Json[]> {
    const items: Json[] = [];
    const join = path.includes('?') ? '&' : '?';
    for (let cursor = '', page = 0; page < mostPages; page += 1) {
      const more = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const list = await this.send('GET', `${path}${join}limit=${pageSize}${more}`);
      items.push(...rowsIn(list));
      if (typeof list['next_cursor'] !== 'string') return items;
      cursor = list['next_cursor'];
    }
    return items;
  }
}

/** Why no response came, as far as the connection shows. */
function unreached(error: unknown, url: string): string {
  const { name, cause } = error as Error & { readonly cause?: { readonly code?: unknown } };
  if (name === 'TimeoutError') return `${url} took too long to answer: what was asked may still be done`;
  const code = String(cause?.code);
  if (code === 'ECONNREFUSED')
    return `Nothing listens at ${url}: start the process, or name its operator listener by --url`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `No machine is known by the name in ${url}`;
  if (['ECONNRESET', 'UND_ERR_SOCKET', 'EPIPE'].includes(code))
    return `The connection to ${url} broke off before the answer: the process may have ended, and what was asked may be done`;
  return `No operator listener answers at ${url}`;
}

/** What a refusal says. */
async function refusalIn(answer: Response, path: string): Promise<OperatorRefused> {
  const text = await answer.text().catch(() => '');
  return new OperatorRefused(sentenceOf(answer.status, parsed(text) ?? {}, path));
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function sentenceOf(status: number, body: Json, path: string): string {
  const { error, error_description: description, details, request_id: request } = body;
  if (status === 401) return 'The operator token is missing or wrong: set OPERATOR_TOKEN, or --token-file';
  if (typeof error !== 'string') return `${path} was answered with status ${status}: is this an operator listener?`;
  const fields = Array.isArray(details)
    ? details.map((each: Json) => `\n  ${String(each['path'])}: ${String(each['message'] ?? each['code'])}`)
    : [];
  return `${String(description ?? error)} (${error})${fields.join('')}${request ? `\n  request ${String(request)}` : ''}`;
}
