import { afterEach, describe, expect, test } from '@jest/globals';
import { type Tracing, openTracing } from '@lyceum/operations';
import { type OtlpCollector, otlpCollector } from '@lyceum/testkit';
import { backend, edge as httpEdge } from '../testing/backend.ts';
import { type TestEdge, openTestEdge } from '../testing/test-edge.ts';

const client = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${client}-00f067aa0ba902b7-01`;

describe('requests from outside, where traces are told of', () => {
  let collector: OtlpCollector;
  let tracing: Tracing;
  const undo: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const step of undo.splice(0).reverse()) await step();
  });
  async function open(ratio: number) {
    collector = await otlpCollector();
    const logger = { warn() {} } as never;
    tracing = await openTracing({ endpoint: collector.url, service: 'lyceum-gateway', ratio, logger });
    undo.push(
      () => collector.close(),
      () => tracing.close(),
    );
    return tracing.tracer;
  }
  async function openEdge(ratio: number, more: Parameters<typeof openTestEdge>[1] = {}): Promise<TestEdge> {
    const edge = await openTestEdge({}, { ...more, tracer: await open(ratio) });
    undo.push(() => edge.close());
    return edge;
  }
  const told = async () => {
    await tracing.close();
    return collector.spans();
  };

  test('a request is a span, which the service gets as the parent, and the log line names', async () => {
    const edge = await openEdge(1);
    await edge.ask('GET', '/api/courses/secret-path?code=secret-code');
    await edge.ask('GET', '/secret-nothing');
    const sent = edge.seen[0]!.headers['traceparent'] as string;
    const [forwarded, refused] = await told();
    expect(sent).toBe(`00-${forwarded!.traceId}-${forwarded!.spanId}-01`);
    expect(forwarded).toMatchObject({ name: 'GET catalog', kind: 2, parentSpanId: '', links: [], isFailed: false });
    expect(forwarded!.attributes).toEqual({
      'http.request.method': 'GET',
      'http.response.status_code': 200,
      'url.scheme': 'http',
      'lyceum.peer': 'catalog',
      'lyceum.school': 'school_home',
      'lyceum.service': 'gateway',
    });
    expect(refused).toMatchObject({ name: 'GET refuse', attributes: { 'http.response.status_code': 404 } });
    expect(edge.logged).toMatchObject([
      { status: 404, trace_id: refused!.traceId, span_id: refused!.spanId, trace_flags: '01' },
    ]);
    expect(collector.text()).not.toContain('secret');
  });

  test('W3C Trace Context §3.2.2.5.1: a client that wants to be recorded is not, for that', async () => {
    const edge = await openEdge(0);
    await edge.ask('GET', '/api/courses', { traceparent, tracestate: 'vendor=1' });
    const { headers, raw } = edge.seen[0]!;
    expect(headers['traceparent']).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
    expect(headers['traceparent']).not.toContain(client);
    expect([headers['tracestate'], raw.join()]).toEqual([undefined, expect.not.stringContaining(client)]);
    expect(await told()).toEqual([]);
  });

  test('a client that wants not to be recorded is all the same; its trace is a link', async () => {
    const edge = await openEdge(1);
    await edge.ask('GET', '/api/courses', { traceparent: traceparent.replace(/01$/, '00') });
    const [span] = await told();
    expect(span!.traceId).not.toBe(client);
    expect(span!.links).toMatchObject([{ traceId: client }]);
  });

  test.each<[string, Readonly<Record<string, string>>]>([
    ['nonsense', { traceparent: 'nonsense' }],
    ['a long one', { traceparent: '0'.repeat(8_000) }],
    ['two in one', { traceparent: `${traceparent}, ${traceparent}` }],
    ['another case', { Traceparent: traceparent.toUpperCase() }],
    ['all zeros', { traceparent: `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01` }],
    ['a forbidden version', { traceparent: `ff${traceparent.slice(2)}` }],
  ])('W3C Trace Context §4.3: %s is no trace, no link and no failure', async (_, headers) => {
    const edge = await openEdge(1);
    expect((await edge.ask('GET', '/api/courses', headers)).status).toBe(200);
    const [span, ...others] = await told();
    expect([span!.links, others]).toEqual([[], []]);
    expect(edge.seen[0]!.headers['traceparent']).toBe(`00-${span!.traceId}-${span!.spanId}-01`);
  });

  test('a method that nobody knows has one name', async () => {
    const edge = await openEdge(1);
    expect((await edge.ask('PROPFIND', '/api/courses')).status).toBe(405);
    const [span] = await told();
    expect([span!.name, span!.attributes['http.request.method']]).toEqual(['_OTHER refuse', '_OTHER']);
    expect(collector.text()).not.toContain('PROPFIND');
  });

  test('an attempt at a service in another process is a span of its own; what is tried again says so', async () => {
    const seen: (string | undefined)[] = [];
    const gone = await backend(() => undefined);
    await gone.die();
    const service = await backend((request, response) => {
      seen.push(request.headers['traceparent'] as string);
      response.writeHead(request.url === '/api/none' ? 404 : 200).end();
    });
    const tracer = await open(1);
    const edge = await httpEdge([gone.url, service.url], {}, { tracer });
    undo.push(
      () => service.die(),
      () => edge.close(),
    );
    for (const path of ['/api/courses', '/api/none'])
      await fetch(`${edge.url}${path}`, { headers: { traceparent } }).then((answer) => answer.text());
    await fetch(`${edge.url}/api/courses`).then((answer) => answer.text());
    const spans = await told();
    expect(spans.every(({ traceId, kind, name }) => traceId === client && kind === 3 && name === 'GET catalog')).toBe(
      true,
    );
    const answered = spans.filter(({ attributes }) => attributes['http.response.status_code'] !== undefined);
    expect(answered.map(({ attributes, isFailed }) => [attributes['http.response.status_code'], isFailed])).toEqual([
      [200, false],
      [404, true],
    ]);
    expect(seen).toEqual([...answered.map(({ spanId }) => `00-${client}-${spanId}-01`), undefined]);
    expect(answered[0]!.attributes).toMatchObject({
      'server.address': '127.0.0.1',
      'server.port': service.port,
      'lyceum.peer': 'catalog',
    });
    const failed = spans.filter((span) => !answered.includes(span));
    expect(failed.length).toBeGreaterThan(0);
    expect(failed.every(({ isFailed, parentSpanId }) => isFailed && parentSpanId === '00f067aa0ba902b7')).toBe(true);
    const second = answered.find(({ attributes }) => attributes['http.request.resend_count'] === 1);
    expect(second).toBeDefined();
  });
});
