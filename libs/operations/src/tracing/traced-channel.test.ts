import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Channel, type Message, type Subscribed, memoryChannel } from '@lyceum/channel';
import { FakeClock, type OtlpCollector, otlpCollector, until } from '@lyceum/testkit';
import { type Tracing, openTracing } from './open-tracing.ts';
import { tracedChannel } from './traced-channel.ts';

const trace = (digit: string, flags: string) => `00-${digit.repeat(32)}-${digit.repeat(16)}-${flags}`;

describe('a channel whose messages are traced', () => {
  let collector: OtlpCollector;
  let tracing: Tracing;
  let channel: Channel;
  let following: Subscribed;
  const clock = new FakeClock();
  const now = new Date(clock.now()).toISOString();
  beforeEach(async () => {
    collector = await otlpCollector();
    tracing = await openTracing({ endpoint: collector.url, service: 'x', ratio: 0, logger: { warn() {} } as never });
    channel = tracedChannel(memoryChannel({ backoff: () => 5 }), tracing.tracer, { system: 'memory', clock });
    channel.offer('catalog', 1, () => Promise.resolve([]));
  });
  afterEach(async () => {
    await channel.close();
    await tracing.close();
    await collector.close();
  });

  const message = (position: number, traceparent?: string, at = now, tenant = 'school_1'): Message => ({
    source: 'catalog',
    lane: 0,
    position,
    previous: position - 1,
    tenant,
    at,
    facts: [],
    ...(traceparent === undefined ? {} : { traceparent }),
  });

  /** Publishes all at once; what is handled is handled one by one, or together. */
  async function told(messages: readonly Message[], together = false) {
    const handled: number[] = [];
    const take = (each: Message) => void handled.push(each.position);
    following = channel.subscribe({
      consumer: 'reader',
      source: 'catalog',
      from: () => Promise.resolve(0),
      handle: async (each) => take(each),
      ...(together && { handleAll: async (all: readonly Message[]) => all.forEach(take) }),
    });
    await following.caughtUp();
    await channel.publish(messages);
    await until(() => handled.length >= messages.length);
    expect(handled).toEqual(messages.map(({ position }) => position));
    await following.close();
    await tracing.close();
    return collector.spans();
  }

  test('a message is published and handled in the trace that its commit was made in', async () => {
    const spans = [...(await told([message(1, trace('a', '01'))]))].sort((one, other) => one.kind - other.kind);
    expect(spans.map(({ name, kind, traceId, parentSpanId }) => ({ name, kind, traceId, parentSpanId }))).toEqual([
      { name: 'publish catalog', kind: 4, traceId: 'a'.repeat(32), parentSpanId: 'a'.repeat(16) },
      { name: 'process catalog', kind: 5, traceId: 'a'.repeat(32), parentSpanId: 'a'.repeat(16) },
    ]);
    expect(spans[1]!.attributes).toEqual({
      'messaging.system': 'memory',
      'messaging.operation.name': 'process',
      'messaging.operation.type': 'process',
      'messaging.destination.name': 'catalog',
      'messaging.destination.partition.id': '0',
      'messaging.consumer.group.name': 'reader',
      'lyceum.school': 'school_1',
    });
  });

  test('several at once are linked to their traces, where one of them is recorded, and belong to none', async () => {
    const messages = [
      message(1, trace('a', '01')),
      message(2, trace('b', '00')),
      message(3, trace('c', '01'), now, 'school_2'),
    ];
    const spans = await told(messages, true);
    const published = spans.find(({ kind }) => kind === 4)!;
    expect(published.links.map(({ traceId }) => traceId)).toEqual(['a'.repeat(32), 'c'.repeat(32)]);
    expect(published.traceId).not.toMatch(/^(a|c)+$/);
    expect(published.attributes).toMatchObject({ 'messaging.batch.message_count': 3 });
    expect(published.attributes).not.toHaveProperty('lyceum.school');
  });

  test.each<[string, readonly Message[]]>([
    ['not recorded', [message(1, trace('a', '00'))]],
    ['not recorded, of several', [message(1, trace('a', '00')), message(2, trace('b', '00'))]],
    ['of no trace', [message(1)]],
    ['history that is read again', [message(1, trace('a', '01'), '2020-01-05T08:00:00.000Z')]],
  ])('what is %s is handled, and not told of', async (_, messages) => {
    expect(await told(messages)).toEqual([]);
  });
});
