import { once } from 'node:events';
import { type IncomingMessage, type ServerOptions, createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Handler } from '@lyceum/internal-api';
import type { Clock, Tracer } from '@lyceum/kernel';
import { type Trust, trustState, verifier } from '@lyceum/oauth';
import { FakeIds } from '@lyceum/testkit';
import { SchoolScheduler, type SchedulerLimits, alignHeaders, setHeaders } from '@lyceum/web';
import type { Slowness } from '../edge/request/body-arrival.ts';
import { trustedProxies } from '../edge/request/client-address.ts';
import type { SiteReading } from '../discovery/site/site-cache.ts';
import type { SiteSummary } from '../discovery/site/site-summary.ts';
import { SchoolDocuments } from '../discovery/school-documents.ts';
import type { Offer } from '../discovery/content/offers.ts';
import { InFlightLimits } from '../limits/in-flight-limits.ts';
import { front } from '../edge/front.ts';
import { beginTrace } from '../edge/request/trace.ts';
import { HostTable } from '../routing/host-table.ts';
import { mergeApis } from '../discovery/openapi/school-openapi.ts';
import { publicApi } from '../discovery/openapi/public-documents.ts';
import type { Quotas } from '../limits/quota-table.ts';
import { requestLimits } from '../limits/request-limits.ts';
import { schoolFrom } from '../routing/school.ts';
import { serviceOf } from '../routing/service-of-path.ts';

/** What a service got to see of a request, by every way of looking at its headers. */
export interface Seen {
  readonly service: string;
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly distinct: IncomingMessage['headersDistinct'];
  readonly raw: readonly string[];
}

/** An answer as it came over the wire. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** An edge on a free port of 127.0.0.1, with services that write down what reaches them. */
export interface TestEdge {
  readonly port: number;
  readonly hosts: HostTable;
  readonly seen: Seen[];
  readonly logged: Record<string, unknown>[];
  /** Sends bytes as they are and reads the first answer. */
  raw(bytes: string): Promise<Answer>;
  /** Sends one well-formed request; `host` defaults to 127.0.0.1 and the port. */
  ask(method: string, path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  close(): Promise<void>;
}

export const docsUrl = 'https://docs.example/api';

/**
 * Opens an edge with one school at its own address. `services` stand in for the recording ones; `lenient` makes Node's
 * parser let bad framing through; `trusting`: proxies that may say where a request comes from; `factor` of the limits,
 * which are counted in `quotas`.
 */
export async function openTestEdge(
  services: Readonly<Record<string, Handler>> = {},
  {
    lenient = false,
    trusting = [],
    offers = [],
    factor = 1,
    quotas,
    documentation,
    clock = { now: () => Date.now() },
    trust = trustState(clock),
    server: options = {},
    inFlight = {},
    turns = {},
    elsewhere = [],
    slowness,
    tracer,
    courseOf = () => Promise.reject(new Error('no course can be read')),
    certificateOf = () => Promise.reject(new Error('no certificate can be read')),
    invoiceOf = () => Promise.reject(new Error('no invoice can be read')),
    summary,
    siteReading = {
      page: () => Promise.reject(new Error('no page can be read')),
      post: () => Promise.reject(new Error('no post can be read')),
    },
    calendarReading = {
      eventOf: () => Promise.reject(new Error('no event can be read')),
      registrationOf: () => Promise.reject(new Error('no registration can be read')),
    },
  }: {
    readonly lenient?: boolean;
    readonly trusting?: readonly string[];
    readonly offers?: readonly Offer[];
    readonly factor?: number;
    readonly quotas?: Quotas;
    /** `schools`: each school documents itself. By default the documentation is at `docsUrl`. */
    readonly documentation?: 'schools';
    readonly clock?: Clock;
    readonly trust?: Trust;
    readonly server?: ServerOptions;
    readonly inFlight?: ConstructorParameters<typeof InFlightLimits>[0];
    readonly turns?: Partial<SchedulerLimits>;
    /** Services that stand for other processes. */
    readonly elsewhere?: readonly string[];
    readonly slowness?: Slowness;
    readonly tracer?: Tracer;
    readonly courseOf?: ConstructorParameters<typeof SchoolDocuments>[0]['courseOf'];
    readonly certificateOf?: ConstructorParameters<typeof SchoolDocuments>[0]['certificateOf'];
    readonly invoiceOf?: ConstructorParameters<typeof SchoolDocuments>[0]['invoiceOf'];
    readonly summary?: SiteSummary;
    readonly siteReading?: SiteReading;
    readonly calendarReading?: ConstructorParameters<typeof SchoolDocuments>[0]['calendarReading'];
  } = {},
): Promise<TestEdge> {
  const hosts = new HostTable();
  const seen: Seen[] = [];
  const logged: Record<string, unknown>[] = [];
  const write = (line: object): void => void logged.push(line as Record<string, unknown>);
  const documents = new SchoolDocuments({
    api: mergeApis([{ service: 'gateway', document: publicApi() }], () => 'gateway'),
    docsUrl: documentation === undefined ? docsUrl : undefined,
    limitFactor: 1,
    offersOf: () => Promise.resolve(offers && { offers, unread: [], ...(summary ? { site: summary } : {}) }),
    courseOf,
    certificateOf,
    invoiceOf,
    siteReading,
    calendarReading,
    again: () => undefined,
    clock: { now: () => 0 },
  });
  const server = createServer(
    { ...options, insecureHTTPParser: lenient },
    front({
      hosts,
      documents,
      serviceOf,
      upstream: (service) => ({
        forward(request, response, defaultHeaders = []) {
          alignHeaders(request);
          setHeaders(response, defaultHeaders);
          return (services[service] ?? recorder(service, seen))(request, response);
        },
      }),
      limits: requestLimits({
        clock,
        verifier: verifier({ trust, clock }),
        isTrustKnown: () => true,
        factor,
        ...(quotas && { quotas }),
      }),
      inFlight: new InFlightLimits(inFlight),
      scheduler: new SchoolScheduler(turns),
      isElsewhere: (service) => elsewhere.includes(service),
      ...(slowness && { slowness }),
      trusted: trustedProxies(trusting),
      beginTrace,
      tracer,
      ids: new FakeIds(),
      clock,
      logger: { debug: write, info: write, error: write } as never,
    }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  addSchool(hosts, { id: 'school_home', host: '127.0.0.1', base_url: `http://127.0.0.1:${port}` });
  const raw = (bytes: string): Promise<Answer> => exchange(port, bytes);
  return {
    port,
    hosts,
    seen,
    logged,
    raw,
    ask: (method, path, headers = {}) => raw(requestText(method, path, { Host: `127.0.0.1:${port}`, ...headers })),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Puts a school into the table. */
export function addSchool(
  hosts: HostTable,
  {
    at = '2026-01-05T08:00:00.000Z',
    ...facts
  }: { id: string; host: string; base_url: string; name?: string; at?: string },
): void {
  hosts.put(schoolFrom({ name: 'Lantern Craft School', ...facts })!, at);
}

const recorder =
  (service: string, seen: Seen[]): Handler =>
  (request, response) => {
    seen.push({
      service,
      method: request.method,
      url: request.url,
      headers: { ...request.headers },
      distinct: { ...request.headersDistinct },
      raw: [...request.rawHeaders],
    });
    request.resume();
    request.on('end', () => response.end(JSON.stringify({ service })));
  };

const requestText = (method: string, path: string, headers: Readonly<Record<string, string>>): string =>
  [
    `${method} ${path} HTTP/1.1`,
    ...Object.entries({ ...headers, Connection: 'close' }).map(([name, value]) => `${name}: ${value}`),
    '',
    '',
  ].join('\r\n');

/** Writes bytes to a port and reads until the server closes, or nothing more comes for so many milliseconds. */
export async function exchange(port: number, bytes: string, silence = 1_000): Promise<Answer> {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => {});
  socket.setTimeout(silence, () => socket.destroy());
  socket.write(bytes, 'latin1');
  // Also by a reset: who still sends when the answer has been given may hear of that only.
  await new Promise((resolve) => socket.once('close', resolve));
  return parseAnswer(Buffer.concat(chunks).toString());
}

function parseAnswer(text: string): Answer {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [status = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  return { status: Number(status.split(' ')[1] ?? 0), headers, text: rest.join('\r\n\r\n') };
}
