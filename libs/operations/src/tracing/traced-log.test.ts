import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Append, type EventLog, memoryEventLog } from '@lyceum/eventlog';
import type { Meta } from '@lyceum/kernel';
import { type OtlpCollector, otlpCollector } from '@lyceum/testkit';
import { randomUUID } from 'node:crypto';
import { type Tracing, openTracing } from './open-tracing.ts';
import { tracedLog } from './traced-log.ts';

const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;

describe('a log whose appends are traced', () => {
  let collector: OtlpCollector;
  let tracing: Tracing;
  let log: EventLog;
  beforeEach(async () => {
    collector = await otlpCollector();
    tracing = await openTracing({ endpoint: collector.url, service: 'x', ratio: 1, logger: { warn() {} } as never });
    log = tracedLog(memoryEventLog(), 'catalog', tracing.tracer);
  });
  afterEach(async () => {
    await log.close();
    await tracing.close();
    await collector.close();
  });
  const append = (meta: Partial<Meta> = {}, more: Partial<Append> = {}) =>
    log.append({
      tenant: 'school_1',
      expectations: [],
      events: [{ stream: 'course_1', type: 'CourseCreated', schema: 1, data: {} }],
      commitId: randomUUID(),
      fingerprint: '',
      at: '2026-01-05T08:00:00.000Z',
      meta: { actor: 'test', ...meta },
      ...more,
    });
  const spans = async () => {
    await tracing.close();
    return collector.spans();
  };

  test('an append belongs to the trace of its command, and says which school and where', async () => {
    await append({ traceparent });
    const [span] = await spans();
    expect(span).toMatchObject({ name: 'append', traceId: 'a'.repeat(32), parentSpanId: 'b'.repeat(16) });
    expect(span!.attributes).toEqual({
      'lyceum.service': 'catalog',
      'lyceum.school': 'school_1',
      'lyceum.events': 1,
      'lyceum.lane': log.laneOf('school_1'),
      'lyceum.position': 1,
    });
  });

  test('a commit keeps the trace that its command names, and has that of its append where it names none', async () => {
    const named = await append({ traceparent });
    const nameless = await append();
    const [, own] = await spans();
    expect(named.commit.meta.traceparent).toBe(traceparent);
    expect(nameless.commit.meta.traceparent).toBe(`00-${own!.traceId}-${own!.spanId}-01`);
  });

  test('a commit that was made elsewhere stays as it is', async () => {
    const { commit } = await append({ arrived: '2026-01-05T08:00:00.000Z' });
    expect(commit.meta).not.toHaveProperty('traceparent');
  });

  test('an append that writes nothing fails by the name of its error, and throws it', async () => {
    await append();
    const late = append({}, { expectations: [{ stream: 'course_1', version: 0 }] });
    await expect(late).rejects.toMatchObject({ name: 'ConcurrencyConflict' });
    const [, failed] = await spans();
    expect([failed!.isFailed, failed!.attributes['error.type']]).toEqual([true, 'ConcurrencyConflict']);
  });
});
