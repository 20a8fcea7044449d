import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Message, memoryChannel } from '@lyceum/channel';
import { Streams } from './subscriptions.ts';
import { type McpTestServer, modernCall, openMcpTestServer } from '../testing/mcp-test-server.ts';
import { followCatalogue } from './catalogue-updates.ts';

describe('MCP 2026-07-28 subscriptions/listen', () => {
  let edge: McpTestServer;
  let controller: AbortController;
  beforeEach(async () => {
    edge = await openMcpTestServer();
    controller = new AbortController();
  });
  afterEach(async () => {
    controller.abort();
    await edge.close();
  });

  async function listen(uris: readonly string[]) {
    const [body, headers] = modernCall(
      'subscriptions/listen',
      { notifications: { resourceSubscriptions: uris } },
      {},
      undefined,
    );
    const response = await fetch(edge.url, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      signal: controller.signal,
    });
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let heard = '';
    const until = async (what: string): Promise<string> => {
      while (!heard.includes(what)) {
        const { done, value } = await reader.read();
        if (done) throw new Error(`the stream ended before ${what}: ${heard}`);
        heard += value;
      }
      return heard;
    };
    return { response, until };
  }

  test('a stream is acknowledged, and tells of its own resources only, at its own school only', async () => {
    const { response, until } = await listen(['school://courses/kites']);
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    await until('notifications/subscriptions/acknowledged');
    edge.endpoint.changed('school_other', ['school://courses/kites']);
    edge.endpoint.changed(edge.school.id, ['school://courses/lanterns']);
    edge.endpoint.changed(edge.school.id, ['school://courses/kites']);
    const heard = await until('notifications/resources/updated');
    expect(heard.match(/resources\/updated/g)).toHaveLength(1);
    expect(heard).not.toContain('lanterns');
  });

  test('a listener that goes away harms nobody, and others go on listening', async () => {
    const { until } = await listen(['school://catalog']);
    await until('acknowledged');
    controller.abort();
    controller = new AbortController();
    const next = await listen(['school://catalog']);
    await next.until('acknowledged');
    edge.endpoint.changed(edge.school.id, ['school://catalog']);
    await next.until('resources/updated');
    expect(edge.errors).toEqual([]);
  });

  test('facts of what is offered change the catalogue, the prices and the resource that they name', async () => {
    const channel = memoryChannel();
    const told: [string, readonly string[]][] = [];
    const following = followCatalogue({ channel }, (school, uris) => void told.push([school, uris]));
    const facts = [
      { id: 'fact_1', type: 'CoursePublished', schema: 1, subject: 'course_1', version: 1, data: { slug: 'kites' } },
      { id: 'fact_2', type: 'SubjectErased', schema: 1, subject: 'acc_1', version: 1, data: { subject: 'acc_1' } },
    ];
    const at = '2026-01-05T08:00:00.000Z';
    const message = { source: 'catalog', lane: 0, position: 1, previous: 0, tenant: 'school_1', at, facts } as const;
    const offer = (news: Message) => channel.offer(news.source, 1, () => Promise.resolve([]));
    offer(message);
    const plan = {
      id: 'fact_3',
      type: 'PlanShown',
      schema: 1,
      subject: 'plan_1',
      version: 1,
      data: { slug: 'friends' },
    };
    const coupon = { ...plan, id: 'fact_4', type: 'CouponCreated', subject: 'coupon_1', data: {} };
    const sold = { ...message, source: 'commerce', facts: [plan, coupon] } as const;
    offer(sold);
    const post = { ...plan, id: 'fact_5', type: 'PostPublished', subject: 'post_1', data: { slug: 'lanterns' } };
    const draft = { ...post, id: 'fact_6', type: 'PostChanged', data: { post_id: 'post_1' } };
    const written = { ...message, source: 'content', facts: [post, draft] } as const;
    offer(written);
    await following.caughtUp();
    await channel.publish([message, sold, written]);
    await following.caughtUp();
    expect(told.filter(([, uris]) => uris.length > 0)).toEqual([
      ['school_1', ['school://catalog', 'school://pricing', 'school://llms', 'school://courses/kites']],
      ['school_1', ['school://pricing', 'school://llms', 'school://membership-plans/friends']],
      ['school_1', ['school://llms', 'school://posts/lanterns']],
    ]);
    await following.close();
    await channel.close();
  });
});

describe('the streams of all schools', () => {
  test('have a limit together, and a school whose last stream ended is forgotten', () => {
    const opened: string[] = [];
    const streams = new Streams(() => {
      opened.push('a handler');
      return { close: () => Promise.resolve(), notify: { resourceUpdated: () => undefined } } as never;
    });
    const ends = Array.from({ length: 2_000 }, () => {
      expect(streams.of('school_1')).toBeDefined();
      return streams.began('school_1');
    });
    expect(streams.of('school_2')).toBeUndefined();
    for (const end of ends) end();
    expect(streams.of('school_1')).toBeDefined();
    expect(opened.length).toBeGreaterThan(1);
  });
});
