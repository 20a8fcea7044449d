import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Heads, History } from '@lyceum/channel';
import { OtherHistory } from '@lyceum/kernel';
import { alignHeaders, answerError, answerJson } from '@lyceum/web';
import type { Handler } from './upstream.ts';
import { type HistoryReader, historyReaderCheck, serviceTokenCheck, serviceTokenHeader } from './service-token.ts';

/** What other processes may ask of this one. */
export interface InternalApiOptions {
  /** Left out: no other process is of this installation. */
  readonly token?: string | undefined;
  /** Who may read histories of integration events, and do nothing else here. */
  readonly readers?: readonly HistoryReader[];
  /** Called with the name of a reader that asks for a history. */
  readonly onReader?: (name: string) => void;
  /** Whether strangers are let through to the application: only the edge does that. */
  readonly isEdge: boolean;
  readonly requestId: () => string;
  readonly report: (error: unknown) => void;
  /** The facts of a service of this process, once they are offered. */
  readonly history: (source: string) => History | undefined;
  /** The OpenAPI document of a service of this process, once it has started. */
  readonly openapi: (service: string) => Record<string, unknown> | undefined;
}

/** The most messages that one answer carries. */
const mostMessages = 500;

/** What readers of histories may ask for. */
const historyPath = /^\/internal\/facts\/[^/]+\/[^/]+$/;

/**
 * The internal API between processes, in front of the application: it answers `GET /internal/facts/<source>/heads`,
 * `GET /internal/facts/<source>/<lane>?after=&limit=&commit=` and `GET /internal/openapi/<service>` to those who show the service
 * token, even before the application is ready. A reader with a history token gets the first two, and 403 for everything
 * else. Everybody else is refused, unless the application is the edge. No token goes further than here.
 */
export function internalApi(open: InternalApiOptions): (request: IncomingMessage, response: ServerResponse) => boolean {
  const isNeighbour = open.token === undefined ? () => false : serviceTokenCheck(open.token);
  const readerOf = historyReaderCheck(open.readers ?? []);
  const refuse = (response: ServerResponse, description: string): boolean => {
    answerError(response, 'access_denied', open.requestId(), { description });
    return true;
  };
  return (request, response) => {
    const [trusted, reader] = [isNeighbour(request), readerOf(request)];
    if (serviceTokenHeader in request.headers) {
      delete request.headers[serviceTokenHeader];
      alignHeaders(request);
    }
    const path = request.url?.split('?', 1)[0] ?? '';
    if (reader && !trusted) {
      if (request.method !== 'GET' || !historyPath.test(path))
        return refuse(response, 'This token reads histories of integration events, and nothing else');
      open.onReader?.(reader.name);
    }
    if ((trusted || reader) && path.startsWith('/internal/')) {
      void answer(open, request, response, path).catch((error: unknown) => {
        open.report(error);
        unavailable(response, open.requestId(), 'The facts cannot be read now');
      });
      return true;
    }
    if (trusted || open.isEdge) return false;
    return refuse(response, 'This is a service: only the gateway of its installation may call it');
  };
}

const unavailable = (response: ServerResponse, requestId: string, description: string): void =>
  answerError(response, 'temporarily_unavailable', requestId, { description, headers: { 'retry-after': '1' } });

async function answer(
  { history, openapi, requestId }: InternalApiOptions,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<void> {
  const [, , kind, name = '', part = ''] = path.split('/');
  if (request.method !== 'GET' || (kind !== 'facts' && kind !== 'openapi'))
    return answerError(response, 'not_found', requestId());
  const found = kind === 'facts' ? history(name) : openapi(name);
  if (!found) return unavailable(response, requestId(), `${name} has not started here`);
  if (kind === 'openapi') return answerJson(response, 200, found);
  const facts = found as History;
  if (part === 'heads') {
    const { heads, ...log } = await headsOf(facts);
    return answerJson(response, 200, { lanes: facts.lanes, heads, ...named(log) });
  }
  const query = new URLSearchParams(request.url!.split('?')[1]);
  const [lane, after, limit] = [part, query.get('after') ?? '0', query.get('limit') ?? '200'].map(wholeNumber);
  if (lane === undefined || after === undefined || limit === undefined || lane >= facts.lanes || limit < 1)
    return answerError(response, 'invalid_request', requestId());
  const commit = query.get('commit') ?? undefined;
  const page = await facts.backfill(lane, after, Math.min(limit, mostMessages), commit).then(
    (messages) => ({ messages }),
    (error: unknown) => otherHistory(error),
  );
  answerJson(response, 200, { ...page, ...named(await epochOf(facts)) });
}

/** Callers that name the commit at the position know how to read this. Throws any other failure. */
function otherHistory(error: unknown): { readonly messages: readonly []; readonly is_other: true } {
  if (error instanceof OtherHistory) return { messages: [], is_other: true };
  throw error;
}

const wholeNumber = (text: string): number | undefined => (/^\d{1,15}$/.test(text) ? Number(text) : undefined);

const headsOf = async ({ lanes, heads }: History): Promise<Heads> =>
  (await heads?.()) ?? { heads: Array<number>(lanes).fill(0) };

type InEpoch = Pick<Heads, 'epoch'>;

const epochs = new WeakMap<History, Promise<InEpoch>>();

/** The epoch of the log that an offered history reads: always the same. */
function epochOf(facts: History): Promise<InEpoch> {
  const known = epochs.get(facts) ?? headsOf(facts);
  epochs.set(facts, known);
  known.catch(() => epochs.delete(facts));
  return known;
}

/** The log epoch by the name that it has between processes, which may be of two releases. */
const named = ({ epoch }: InEpoch) => (epoch === undefined ? {} : { incarnation: epoch });

/** The application behind an internal API, which answers its own requests. */
export const behind =
  (api: (request: IncomingMessage, response: ServerResponse) => boolean, application: Handler): Handler =>
  (request, response) => {
    if (!api(request, response)) return application(request, response);
  };
