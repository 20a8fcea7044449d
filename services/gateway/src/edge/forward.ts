import type { IncomingMessage } from 'node:http';
import { clientAddressHeader, schoolHeader, schoolOriginHeader } from '@lyceum/contracts';
import { type Admission, rateLimitHeadersOf } from '@lyceum/web';
import { isCounted } from '../limits/request-limits.ts';
import { refuse, defaultHeaderList } from '../http/error-response.ts';
import { awaitBody } from './wait-for-body.ts';
import { announcesMore, largestBodyAt } from './request/body-arrival.ts';
import { clientAddressOf } from './request/client-address.ts';
import { codingFor } from '../http/content-coding.ts';
import { compress } from '../http/compress-response.ts';
import type { Exchange, EdgeContext } from './edge-context.ts';
import { sanitizeHeaders } from './request/request-headers.ts';
import { present } from './present.ts';
import { underSpan } from './request/traced-request.ts';
import { logWhenAnswered } from './request-log.ts';
import type { School } from '../routing/school.ts';
import type { Verdict } from './verdict.ts';

type Forwarding = Extract<Verdict, { kind: 'forward' }>;
type McpRefusal = Exclude<Admission, { readonly outcome: 'unknown' }>;
type Limits = Readonly<Record<string, string>>;

/**
 * Hands a request to its service unless its body or the number of its like is too large. A service that is missing or
 * throws, at once or later, costs its one answer and never the process.
 */
export function forward(context: EdgeContext, exchange: Exchange, verdict: Forwarding): void {
  const { request, response } = exchange;
  const { school, service, target } = verdict;
  const limit = largestBodyAt(target.path);
  if (announcesMore(request, limit)) return tooLarge(context, exchange, verdict);
  const address = clientAddressOf(request, context.trusted);
  const whenThere = awaitBody(context, exchange, { school, address, limit }, () =>
    tooLarge(context, exchange, verdict),
  );
  const isOwn = isCounted(service, target.path, request);
  const proceed = (admission?: Admission): void => {
    if (admission?.outcome === 'refused') return tooMany(context, exchange, verdict, admission);
    whenThere(() => enter(context, exchange, verdict, address, isOwn ? admission : undefined));
  };
  if (!isOwn && service !== 'auth') return proceed();
  const admitting = isOwn ? context.limits.admit(request, school.id, address) : context.limits.admitToAuth(address);
  if (!(admitting instanceof Promise)) return proceed(admitting);
  admitting.then((admission) => response.destroyed || proceed(admission)).catch(failing(context, exchange, verdict));
}

/** Milliseconds that the gateway itself works for a request, at most: beyond it waits for changes, or for others who read them. */
const mostBusyHere = 100;

/**
 * Passes a request on unless too many of its address or school are in flight; to a service of this process when it is its
 * school's turn. The streams of the gateway have limits of their own.
 */
function enter(
  context: EdgeContext,
  exchange: Exchange,
  verdict: Forwarding,
  address: string,
  admission?: Admission,
): void {
  const { service, school } = verdict;
  const { response } = exchange;
  const isOwn = service === 'gateway';
  if (!isOwn) {
    const counted = context.inFlight.request(exchange, address, school.id);
    if (typeof counted === 'string') return refuseInFlight(context, exchange, school, counted);
    response.once('close', () => counted.leave());
  }
  const run = underSpan(exchange.trace, () => pass(context, exchange, verdict, address, admission));
  if (context.isElsewhere(service)) return run();
  const refuse = (): void => refuseInFlight(context, exchange, school, 'school');
  context.scheduler.schedule({ school: school.id, response, run, refuse, ...(isOwn && { maxBusy: mostBusyHere }) });
}

/** Refuses a request because too many of its address or school are under way. */
export function refuseInFlight(
  context: EdgeContext,
  exchange: Exchange,
  school: School | undefined,
  of: 'address' | 'school',
): void {
  const [code, whose] =
    of === 'address'
      ? (['rate_limited', 'your address'] as const)
      : (['temporarily_unavailable', 'this school'] as const);
  logWhenAnswered(context, exchange, school, '-', { code, policy: `in-flight-${of}`, limit: 'refused' });
  const description = `Too many requests of ${whose} are under way at once`;
  refuse(exchange.response, code, exchange.requestId, { description, school, headers: { 'Retry-After': '1' } });
}

/** The rate limit headers of a response; none where the service itself sends its own. */
const limitsOf = (admission: Admission | undefined): Limits => (admission ? rateLimitHeadersOf(admission) : {});

function tooLarge(context: EdgeContext, exchange: Exchange, { school, target }: Forwarding): void {
  logWhenAnswered(context, exchange, school, '-', { code: 'payload_too_large' });
  const description = `The body is larger than ${largestBodyAt(target.path)} bytes`;
  refuse(exchange.response, 'payload_too_large', exchange.requestId, {
    description,
    school,
    headers: { Connection: 'close' },
  });
}

/** Refuses when it is the turn of the school: refusals cost too, and nobody has to wait for those of another school. */
function tooMany(context: EdgeContext, exchange: Exchange, { school }: Forwarding, admission: McpRefusal): void {
  const { response } = exchange;
  const run = (): void => refuseBeyondQuota(context, exchange, school, admission);
  context.scheduler.schedule({ school: school.id, response, run, refuse: run });
}

function refuseBeyondQuota(context: EdgeContext, exchange: Exchange, school: School, admission: McpRefusal): void {
  const { request, response, requestId } = exchange;
  const { policy, wait } = admission;
  logWhenAnswered(context, exchange, school, '-', { code: 'rate_limited', policy: policy.name, limit: 'refused' });
  // What is left of the request is not read: the connection cannot be used again.
  const unread = request.complete || !hasBody(request) ? {} : { Connection: 'close' };
  refuse(response, 'rate_limited', requestId, {
    school,
    headers: { ...limitsOf(admission), 'Retry-After': String(wait), ...unread },
  });
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

function pass(
  context: EdgeContext,
  exchange: Exchange,
  verdict: Forwarding,
  address: string,
  admission?: Admission,
): void {
  const { request, response, requestId, trace } = exchange;
  const { service, school, target, page } = verdict;
  if (page) return showPage(context, exchange, { school, target, page }, limitsOf(admission));
  let upstream: ReturnType<EdgeContext['upstream']>;
  try {
    upstream = context.upstream(service);
  } catch {
    const headers = { ...limitsOf(admission), 'Retry-After': '5' };
    return refuse(response, 'temporarily_unavailable', requestId, { school, headers });
  }
  request.url = target.url;
  sanitizeHeaders(
    request,
    trustedHeaders(exchange, verdict, address),
    trace.begun === undefined ? undefined : 'tracestate',
  );
  const coding = mayCompress(service) ? codingFor(request.headers['accept-encoding']) : undefined;
  if (coding) compress(response, coding);
  const headers = defaultHeaderList(requestId, school, limitsOf(admission));
  const sending = async () => upstream.forward(request, response, headers);
  // A handler may throw now or later: both ways of failing end here.
  void sending().catch(failing(context, exchange, verdict));
}

/** Shows a page of what the service says. It asks by itself; the request ends here. */
function showPage(
  context: EdgeContext,
  exchange: Exchange,
  { school, target, page }: Pick<Forwarding, 'school' | 'target'> & Required<Pick<Forwarding, 'page'>>,
  limits: Limits,
): void {
  const { request, response } = exchange;
  logWhenAnswered(context, exchange, school, pageRoute(target.path));
  for (const name in limits) response.setHeader(name, limits[name]!);
  // A request to read may bring a body, which nobody reads.
  request.resume();
  present(context, exchange, { document: page(), school });
}

/** The line about a request does not say which: whoever knows the code of a certificate or an invoice sees a name. */
const pageRoute = (path: string): string => `${path.slice(0, path.lastIndexOf('/'))}/{code}`;

/**
 * Answers of the authorization server and the checkout hold secrets beside what the caller chose, and cookies make browsers
 * ask for them: their length would give them away. Everything else is asked for with a token in a header, which no other page
 * can send.
 */
const mayCompress = (service: string): boolean => service !== 'auth' && service !== 'checkout';

const failing =
  ({ logger }: EdgeContext, { response, requestId }: Exchange, { service, school }: Forwarding) =>
  (error: unknown): void => {
    logger.error({ request_id: requestId, module: service, err: error }, 'a service failed to answer');
    if (response.writableEnded) return;
    if (response.headersSent) response.destroy();
    else refuse(response, 'server_error', requestId, { school, headers: { Connection: 'close' } });
  };

/** The headers that a service trusts, name, value, name, value: only the gateway sets them. */
function trustedHeaders(
  { requestId, trace }: Exchange,
  { school, target, origin }: Forwarding,
  address: string,
): readonly string[] {
  const list = [schoolHeader, school.id, 'x-request-id', requestId, clientAddressHeader, address];
  if (origin !== undefined) list.push(schoolOriginHeader, origin);
  if (target.authority !== undefined) list.push('host', target.authority);
  if (trace.begun !== undefined) list.push('traceparent', trace.begun);
  return list;
}
