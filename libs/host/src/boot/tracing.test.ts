import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { type Commit, type NewEvent, ConcurrencyConflict } from '@lyceum/eventlog';
import { type AnyModule, type ModulePorts, domainModule } from '@lyceum/service';
import { type CollectedSpan, type OtlpCollector, freePort, otlpCollector } from '@lyceum/testkit';
import { operation } from '@lyceum/web';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { createLogger } from '../logger.ts';
import { readEnvironment } from '../settings/environment.ts';
import { type Running, boot } from './boot.ts';
import { shutDown } from './shutdown.ts';

jest.setTimeout(30_000);

const any = { version: 1, data: z.unknown() };
const published = { slug: 'paper', title: 'Paper', access: 'free', listed: true };
const eventOf = (stream: string, type: string, data: unknown = {}): NewEvent => ({ stream, type, schema: 1, data });

/** A service that publishes courses, reacts to what it published itself, by a mail, and welcomes by a process manager. */
const catalog = domainModule({
  name: 'catalog',
  routes: ['/api/courses'],
  slices: [
    {
      name: 'courses',
      events: { CoursePublished: any, Announced: any, Welcomed: any },
      operations: [
        operation({
          id: 'publishCourse',
          method: 'POST',
          path: '/api/courses/{course}',
          area: 'courses',
          summary: 'Publish a course',
          anonymous: true,
          status: 201,
          params: z.object({ course: z.string() }),
          query: z.object({ code: z.string().optional() }),
          body: z.object({ email: z.string().optional() }),
          async handle({ school, params: { course }, commit, at, meta }, { log }) {
            if (course === 'broken') throw new TypeError('canary-of-an-error');
            if (course === 'taken') throw new ConcurrencyConflict('canary-of-a-stream', 1, 2);
            await log.append({
              tenant: school,
              expectations: [],
              events: [eventOf(course, 'CoursePublished', published)],
              at,
              meta,
              ...commit,
            });
            return { body: {} };
          },
        }),
      ],
      toFact: ({ type, stream, data }) =>
        type === 'CoursePublished' ? { type, data: { course_id: stream, ...(data as typeof published) } } : undefined,
      reactions: [
        {
          name: 'announce',
          source: 'catalog',
          events: ['CoursePublished'],
          async perform({ tenant, stream, position, at }, { log, mail }) {
            const text = 'canary-of-a-mail';
            await mail.send({ to: 'canary@example.org', subject: text, text, idempotencyKey: `announce-${position}` });
            const events = [eventOf(stream, 'Announced')];
            const commitId = crypto.randomUUID();
            const meta = { actor: 'system' };
            await log.append({ tenant, expectations: [], events, commitId, fingerprint: '', at, meta });
          },
        },
      ],
      processes: [
        {
          manager: {
            name: 'welcome',
            events: {},
            initial: null,
            evolve: () => null,
            correlate: ({ type, stream }) => (type === 'Announced' ? stream : undefined),
            react: (input) => (input.kind === 'event' ? { commands: [input.event.stream] } : {}),
            async carryOut(stream, { tenant, commitId, at, meta }, { log }) {
              const events = [eventOf(String(stream), 'Welcomed')];
              return log.append({ tenant, expectations: [], events, commitId, fingerprint: '', at, meta });
            },
          },
        },
      ],
    },
  ],
});

const trust: ModulePorts['trust'] = {
  school: (id) => ({ id, issuer: 'http://127.0.0.1' }) as ReturnType<ModulePorts['trust']['school']>,
  key: () => undefined,
  denied: () => false,
  role: () => undefined,
};

const school = 'school_1';
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;

describe('a process that tells of traces', () => {
  const undo: (() => Promise<unknown>)[] = [];
  const lines: string[] = [];
  afterEach(async () => {
    for (const step of undo.splice(0).reverse()) await step();
    lines.length = 0;
  });

  async function start(env: Readonly<Record<string, string>>) {
    const folder = await mkdtemp(join(tmpdir(), 'lyceum-traces-'));
    undo.push(() => rm(folder, { recursive: true, force: true }));
    const [PORT, OPERATOR_PORT] = [String(await freePort()), String(await freePort())];
    const OPERATOR_TOKEN = 'operator-token-of-this-test-only';
    let ports!: ModulePorts;
    const module: AnyModule = {
      ...catalog,
      consumes: [],
      start: (given) => catalog.start((ports = { ...(given as unknown as ModulePorts), trust }) as never),
    };
    const logger = createLogger('info', { write: (line) => void lines.push(line) });
    const { settings, problems } = readEnvironment([], {
      PORT,
      OPERATOR_PORT,
      OPERATOR_TOKEN,
      DATA_DIR: folder,
      ...env,
    });
    expect(problems).toEqual([]);
    const running: Running = await boot([module], settings, logger);
    const stop = async () => shutDown(running, 0, logger);
    undo.push(async () => ports && stop().catch(() => undefined));
    const publish = (course: string, headers: Readonly<Record<string, string>> = {}, more = '', body: object = {}) =>
      fetch(`http://127.0.0.1:${PORT}/api/courses/${course}${more}`, {
        method: 'POST',
        headers: { 'x-school-id': school, 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
    const metrics = () =>
      fetch(`http://127.0.0.1:${OPERATOR_PORT}/metrics`, { headers: { authorization: `Bearer ${OPERATOR_TOKEN}` } });
    const commits = async (): Promise<readonly Commit[]> => ports.log.readLane(ports.log.laneOf(school), 0, 100);
    return { publish, metrics, commits, stop };
  }

  async function collect(): Promise<OtlpCollector> {
    const collector = await otlpCollector();
    undo.push(() => collector.close());
    return collector;
  }

  const withName = (spans: readonly CollectedSpan[], name: string) => spans.filter((span) => span.name === name);

  test('one trace leads from the request through commit, message, reaction, mail and process to the last commit', async () => {
    const collector = await collect();
    const { publish, commits } = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    expect((await publish('course_1', { traceparent })).status).toBe(201);
    const isLast = ({ name }: CollectedSpan) => name === 'append';
    // What was published, announced, taken by the process, and welcomed.
    const spans = (await collector.until(isLast, 4)).filter((span) => span.traceId === traceId);
    const [server, ...others] = withName(spans, 'POST /api/courses/{course}');
    expect([server, others]).toMatchObject([
      { kind: 2, parentSpanId: '00f067aa0ba902b7', service: 'lyceum-catalog' },
      [],
    ]);
    expect(server!.attributes).toEqual({
      'http.request.method': 'POST',
      'http.route': '/api/courses/{course}',
      'http.response.status_code': 201,
      'url.scheme': 'http',
      'lyceum.school': school,
      'lyceum.service': 'catalog',
    });
    const names = new Set(spans.map(({ name }) => name));
    for (const name of ['append', 'publish catalog', 'process catalog', 'react duty.announce', 'send mail'])
      expect(names).toContain(name);
    expect([...names].filter((name) => name.startsWith('react process.welcome'))).not.toEqual([]);
    const reaction = withName(spans, 'react duty.announce')[0]!;
    expect(withName(spans, 'send mail')[0]!.parentSpanId).toBe(reaction.spanId);
    expect(withName(spans, 'process catalog')[0]!.parentSpanId).toBe(server!.spanId);
    const types = (await commits()).map(({ events, meta }) => [events[0]!.type, meta.traceparent?.slice(3, 35)]);
    expect(types).toEqual(expect.arrayContaining([['Welcomed', traceId]]));
    expect(types.every(([, trace]) => trace === traceId)).toBe(true);
  });

  test('the line about a request, and the time that it took, name its span; no label of a metric names a school', async () => {
    const collector = await collect();
    const { publish, metrics } = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    await publish('course_1', { traceparent });
    await publish('course_2', { traceparent: traceparent.replace(/01$/, '00') });
    const { headers, text } = await metrics().then(async (answer) => ({
      headers: answer.headers,
      text: await answer.text(),
    }));
    expect(headers.get('content-type')).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8');
    expect(text).toMatch(/# EOF\n$/);
    const [server] = withName(await collector.until(({ kind }) => kind === 2), 'POST /api/courses/{course}');
    const exemplars = text.split('\n').filter((line) => line.includes(' # {'));
    expect(exemplars).toHaveLength(1);
    expect(exemplars[0]).toContain(` # {trace_id="${traceId}",span_id="${server!.spanId}"} `);
    const line = JSON.parse(lines.find((each) => each.includes('"status":201'))!) as Record<string, unknown>;
    expect(line).toMatchObject({ trace_id: traceId, span_id: server!.spanId, trace_flags: '01' });
    expect(text).toContain('lyceum_trace_spans_total{outcome="dropped"} 0');
    const samples = text.split('\n').map((each) => each.split(' # ')[0]!);
    const labels = new Set(samples.flatMap((each) => [...each.matchAll(/[{,](\w+)="/g)].map(([, label]) => label!)));
    expect([...labels].filter((label) => /school|tenant|account|client|subject|trace|request_id/.test(label))).toEqual(
      [],
    );
    expect(labels).toContain('http_route');
    expect(samples.join('\n')).not.toContain(school);
  });

  test('nothing of a request leaves but what the list of attributes names: no token, code, address or error text', async () => {
    const collector = await collect();
    const { publish } = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    const secrets = {
      traceparent,
      tracestate: 'vendor=canary-state',
      baggage: 'user=canary-baggage',
      cookie: 'session=canary-cookie',
      'user-agent': 'canary-agent',
      'x-client-address': '203.0.113.77',
      'x-request-id': 'req_canary-request',
      'idempotency-key': 'canary-key',
      referer: 'https://example.org/?canary-referer',
    };
    const answers = [
      await publish('canary-course', secrets, '?code=canary-code', { email: 'canary-body@example.org' }),
      await publish('canary-token', { ...secrets, authorization: 'Bearer canary-token.a.b' }),
      await publish('broken', secrets),
      await publish('taken', secrets),
      await publish('canary-query', secrets, '?unknown=canary-unknown'),
      await publish('canary-deep/canary-path', secrets),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 401, 500, 503, 201, 404]);
    const spans = await collector.until(({ kind }) => kind === 2, 6);
    await collector.until(({ name }) => name === 'append', 8);
    expect(collector.text()).not.toMatch(/canary|203\.0\.113\.77|example\.org|tracestate|baggage/i);
    const failed = spans.filter(({ kind, isFailed }) => kind === 2 && isFailed);
    expect(failed.map(({ attributes }) => attributes['error.type'])).toEqual([
      'server_error',
      'temporarily_unavailable',
    ]);
  });

  test('a collector that never answers costs no request, and does not hold up the end', async () => {
    let release!: (status: number) => void;
    const never = new Promise<number>((resolve) => (release = resolve));
    const hanging = await otlpCollector(() => never);
    undo.push(async () => {
      release(400);
      // What is answered is not tried again.
      await new Promise((resolve) => setTimeout(resolve, 100));
      await hanging.close();
    });
    const { publish, stop } = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: hanging.url });
    for (let count = 0; count < 20; count += 1) expect((await publish(`course_${count}`)).status).toBe(201);
    const began = performance.now();
    expect(await stop()).toBe(0);
    expect(performance.now() - began).toBeLessThan(4_000);
  });

  test('without a collector there are no spans, and the trace of the caller is stored as before', async () => {
    const { publish, metrics, commits } = await start({});
    expect((await publish('course_1', { traceparent })).status).toBe(201);
    const answer = await metrics();
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    const text = await answer.text();
    expect(text).toContain('lyceum_trace_spans_total{outcome="exported"} 0');
    expect(text).not.toContain(' # {');
    expect((await commits())[0]!.meta.traceparent).toBe(traceparent);
    const line = JSON.parse(lines.find((each) => each.includes('"status":201'))!) as Record<string, unknown>;
    expect(line['trace_id']).toBe(traceId);
    expect(line).not.toHaveProperty('span_id');
  });
});
