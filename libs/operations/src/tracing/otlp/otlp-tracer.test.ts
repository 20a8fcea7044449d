import { afterEach, describe, expect, test } from '@jest/globals';
import { type SpanAttributes, inSpan, isSampled } from '@lyceum/kernel';
import { type OtlpCollector, freePort, otlpCollector, until } from '@lyceum/testkit';
import { type Tracing, openTracing } from '../open-tracing.ts';

const warned: object[] = [];
const logger = { warn: (line: object) => void warned.push(line) } as never;
const stranger = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7';

describe('traces over OTLP', () => {
  let collector: OtlpCollector;
  let tracing: Tracing;
  afterEach(async () => {
    await tracing.close();
    await collector.close();
    warned.length = 0;
  });
  const open = async (ratio: number, answer?: () => number | Promise<number>, more: object = {}) => {
    collector = await otlpCollector(answer);
    tracing = await openTracing({ endpoint: collector.url, service: 'lyceum-test', ratio, logger, ...more });
    return tracing.tracer;
  };

  test('go to /v1/traces below the endpoint, with the headers of the settings and the name of the service', async () => {
    const tracer = await open(1, undefined, { headers: 'x-key=a%20b,x-other=c' });
    tracer.begin('work', { kind: 'internal' }).end();
    const [span] = await collector.until(({ name }) => name === 'work');
    expect(span).toMatchObject({ service: 'lyceum-test', kind: 1, parentSpanId: '', isFailed: false });
    const [{ path, headers } = { path: '', headers: {} }] = collector.requests;
    expect([path, headers['x-key'], headers['x-other']]).toEqual(['/v1/traces', 'a b', 'c']);
  });

  test('a span is the child of the one that is under way, also behind what is awaited, and of no other', async () => {
    const tracer = await open(1);
    const work = (name: string) =>
      inSpan(tracer.begin(name, { kind: 'internal', parent: null }), async () => {
        await new Promise(setImmediate);
        await inSpan(tracer.begin(`in ${name}`, { kind: 'internal' }), async () => undefined);
      });
    await Promise.all([work('a'), work('b')]);
    expect(tracer.active()).toBeUndefined();
    const spans = await collector.until(({ name }) => name.startsWith('in '), 2);
    for (const name of ['a', 'b']) {
      const [outer, inner] = [name, `in ${name}`].map((each) => spans.find((span) => span.name === each)!);
      expect([inner!.traceId, inner!.parentSpanId]).toEqual([outer!.traceId, outer!.spanId]);
    }
  });

  test('only attributes of the list leave, at most 128 characters of each; of an error only its name', async () => {
    const tracer = await open(1);
    const attributes = { 'http.route': 'r'.repeat(500), 'url.query': 'canary', authorization: 'canary' };
    const span = tracer.begin('work', { kind: 'server', attributes: attributes as SpanAttributes });
    span.set({ 'user.email': 'canary' } as SpanAttributes);
    span.end(new TypeError('canary'));
    const other = tracer.begin('other', { kind: 'server' });
    other.end(Object.assign(new Error('canary'), { name: 'a canary with spaces' }));
    const spans = await collector.until(({ name }) => name === 'other');
    expect(spans.map((each) => each.attributes)).toEqual([
      { 'http.route': 'r'.repeat(128), 'error.type': 'TypeError' },
      { 'error.type': '_OTHER' },
    ]);
    expect(spans.map(({ isFailed }) => isFailed)).toEqual([true, true]);
    expect(collector.text()).not.toContain('canary');
  });

  test('W3C Trace Context §3.2: what the parent says about recording is gone on with, in its trace', async () => {
    const tracer = await open(0);
    const [recorded, not] = ['01', '00'].map((flags) =>
      tracer.begin(`with ${flags}`, { kind: 'server', parent: `${stranger}-${flags}` }),
    );
    expect([recorded!.traceparent.slice(0, 36), isSampled(recorded!.traceparent)]).toEqual([
      `${stranger.slice(0, 36)}`,
      true,
    ]);
    expect([not!.traceparent.slice(3, 35), isSampled(not!.traceparent)]).toEqual([stranger.slice(3, 35), false]);
    for (const span of [recorded!, not!]) span.end();
    expect((await collector.until(() => true)).map(({ name }) => name)).toEqual(['with 01']);
  });

  test.each([
    '',
    'nonsense',
    `ff${stranger.slice(2)}-01`,
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `${stranger}-01-x`,
  ])('W3C Trace Context §4.3: a parent %j that is not valid is none', async (parent) => {
    const tracer = await open(0);
    const span = tracer.begin('work', { kind: 'server', parent });
    expect(span.traceparent).toMatch(/^00-(?!4bf9|0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-00$/);
  });

  test('a trace of its own is recorded by the ratio, or when it is linked to one that is', async () => {
    const tracer = await open(0.25);
    const recorded = (links: readonly string[] = []) =>
      Array.from({ length: 2_000 }, () => tracer.begin('work', { kind: 'producer', parent: null, links })).filter(
        ({ traceparent }) => isSampled(traceparent),
      ).length;
    const share = recorded([`${stranger}-00`]) / 2_000;
    expect(share).toBeGreaterThan(0.15);
    expect(share).toBeLessThan(0.35);
    expect(recorded([`${stranger}-00`, `${stranger}-01`])).toBe(2_000);
  });

  test('what is left at the end is exported', async () => {
    const tracer = await open(1);
    for (let count = 0; count < 600; count += 1) tracer.begin('work', { kind: 'internal' }).end();
    await tracing.close();
    expect([collector.spans().length, tracing.counts]).toEqual([600, { exported: 600, dropped: 0 }]);
  });
});

describe('a collector that is of no use', () => {
  let tracing: Tracing;
  const spend = (spans: number) => {
    const began = performance.now();
    for (let count = 0; count < spans; count += 1) tracing.tracer.begin('work', { kind: 'internal' }).end();
    return performance.now() - began;
  };
  const closing = async () => {
    const began = performance.now();
    await tracing.close();
    return performance.now() - began;
  };
  const open = async (endpoint: string) => {
    warned.length = 0;
    tracing = await openTracing({ endpoint, service: 'lyceum-test', ratio: 1, patience: 500, logger });
  };

  test.each([
    ['refuses', async () => otlpCollector(() => 400)],
    ['is not there', async () => undefined],
  ])('one that %s costs what it did not take: counted, and said once', async (_, start) => {
    const collector = await start();
    await open(collector?.url ?? `http://127.0.0.1:${await freePort()}`);
    spend(3_000);
    await tracing.close();
    await until(() => tracing.counts.dropped === 3_000);
    expect(tracing.counts).toEqual({ exported: 0, dropped: 3_000 });
    expect(warned).toHaveLength(1);
    expect(warned[0]).toMatchObject({ reason: expect.any(String), count: expect.any(Number) });
    await collector?.close();
  });

  test('one that never answers holds up nobody: what does not fit is dropped at once, and the end comes in time', async () => {
    const collector = await otlpCollector(() => new Promise<number>(() => undefined));
    await open(collector.url);
    expect(spend(20_000)).toBeLessThan(5_000);
    // A batch of 512 is under way, and 2,048 wait.
    expect(tracing.counts.dropped).toBe(20_000 - 512 - 2_048);
    expect(await closing()).toBeLessThan(1_500);
    await collector.close();
    await until(() => tracing.counts.dropped === 20_000);
    expect(tracing.counts).toEqual({ exported: 0, dropped: 20_000 });
  });
});
