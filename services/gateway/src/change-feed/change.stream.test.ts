import { afterEach, describe, expect, test } from '@jest/globals';
import { FakeClock } from '@lyceum/testkit';
import { WrittenHistory } from '../testing/written-history.ts';
import { ChangeFeed } from './change.feed.ts';
import { changeCursors } from './change.cursor.ts';
import { type StreamOptions, changeStream } from './change.stream.ts';
import { ChangeSignal } from './change-signal.ts';
import { OpenStreams } from '../limits/open-streams.ts';

const month = 30 * 86_400_000;
/** Nothing but the bell wakes it, unless a test says otherwise. */
const deaf = { currentReader: 600_000, look: 600_000, silence: 600_000 };

describe('a stream of changes', () => {
  const ends: AbortController[] = [];
  afterEach(() => ends.splice(0).forEach((end) => end.abort()));

  async function open(more: Partial<StreamOptions> = {}, types?: readonly string[]) {
    const clock = new FakeClock();
    const catalog = new WrittenHistory();
    const sources = new Map([['catalog', catalog] as const]);
    const feed = new ChangeFeed({ sources, clock, kept: month });
    const signal = new ChangeSignal(sources);
    const codec = changeCursors('a secret', clock, month);
    const end = new AbortController();
    ends.push(end);
    const options = {
      feed,
      signal,
      codec,
      patience: deaf,
      gone: end.signal,
      requestId: 'req_1',
      currentReader: () => undefined,
    };
    const wanted = { school: 'school_1', reader: undefined, types: types && new Set(types), limit: 2 };
    const stream = changeStream(await feed.now('school_1'), wanted, { ...options, ...more });
    const archive = (id: string, school = 'school_1') =>
      catalog.write(school, new Date(clock.now()).toISOString(), [['CourseArchived', id, { course_id: id }]]);
    return { stream, catalog, archive, end, codec, feed };
  }
  const next = async (stream: AsyncGenerator<string>): Promise<string | undefined> =>
    ((await stream.next()) as { value?: string }).value;
  const idOf = (event = '') => /^id: (.*)$/m.exec(event)![1]!;

  test('begins with a cursor, and the bell of its school wakes it', async () => {
    const { stream, archive } = await open();
    expect(await next(stream)).toMatch(/^retry: 2000\nid: [\w-]+\n: welcome\n\n$/);
    const waiting = next(stream);
    archive('course_9', 'school_2');
    archive('course_1');
    const event = await waiting;
    expect(event).toMatch(/^id: [\w-]+\nevent: CourseArchived\ndata: \{.*\}\n\n$/);
    expect(JSON.parse(/^data: (.*)$/m.exec(event!)![1]!)).toMatchObject({ subject: 'course_1', schoolid: 'school_1' });
  });

  test('S15: ends after its time, with what its reader needs to come back', async () => {
    const { stream } = await open({ patience: { currentReader: 10, look: 600_000, silence: 600_000, duration: 100 } });
    await next(stream);
    expect(await next(stream)).toMatch(/^retry: 2000\nid: [\w-]+\n: come back\n\n$/);
    expect(await stream.next()).toEqual({ done: true, value: undefined });
  });

  test('the id of each event is the cursor after it', async () => {
    const { stream, archive, codec, feed } = await open();
    await next(stream);
    for (const id of ['course_1', 'course_2', 'course_3']) archive(id);
    const first = await next(stream);
    const wanted = { school: 'school_1', reader: undefined, types: undefined, limit: 10 };
    const { steps } = await feed.read(codec.open('school_1', idOf(first)), wanted);
    expect(steps.map(({ change }) => change.subject)).toEqual(['course_2', 'course_3']);
    expect(await next(stream)).toContain('"course_2"');
    expect(await next(stream)).toContain('"course_3"');
  });

  test('what is written while it reads is not missed', async () => {
    const { stream, archive } = await open();
    await next(stream);
    archive('course_1');
    expect(await next(stream)).toContain('"course_1"');
    archive('course_2');
    expect(await next(stream)).toContain('"course_2"');
  });

  test('it looks by itself when no bell rings, and breaks the silence with a comment', async () => {
    const silent = { listen: () => () => undefined };
    const { stream, archive } = await open({ signal: silent, patience: { currentReader: 5, look: 20, silence: 40 } });
    await next(stream);
    expect(await next(stream)).toMatch(/^id: [\w-]+\n: nothing new\n\n$/);
    archive('course_1');
    let event = await next(stream);
    while (event?.includes(': nothing new')) event = await next(stream);
    expect(event).toContain('"course_1"');
  });

  test('ends when its reader may not read any more, in the middle of waiting', async () => {
    const token = { over: false };
    const { stream } = await open({
      currentReader: () => (token.over ? 'over' : undefined),
      patience: { ...deaf, currentReader: 5 },
    });
    await next(stream);
    const waiting = stream.next();
    token.over = true;
    expect((await waiting).done).toBe(true);
  });

  test('ends when its reader may not read any more while a service does not answer, and nothing is shown of the answer', async () => {
    const token = { over: false };
    const reader = { currentReader: () => (token.over ? ('over' as const) : undefined) };
    const slow = await open({
      ...reader,
      patience: { ...deaf, currentReader: 5 },
      feed: { read: () => new Promise(() => undefined) },
    });
    await next(slow.stream);
    const waiting = slow.stream.next();
    token.over = true;
    expect((await waiting).done).toBe(true);
    token.over = false;
    const late = await open({
      ...reader,
      feed: {
        read: async (position) => {
          token.over = true;
          return { steps: [{ change: { type: 'Secret' } as never, position }], position, more: false };
        },
      },
    });
    await next(late.stream);
    expect((await late.stream.next()).done).toBe(true);
  });

  test('ends when the reader is gone', async () => {
    const { stream, end } = await open();
    await next(stream);
    const waiting = stream.next();
    end.abort();
    expect((await waiting).done).toBe(true);
  });

  test('a log in another life ends it with an event that tells what to do', async () => {
    const { stream, catalog, archive } = await open();
    await next(stream);
    catalog.epoch = 'second';
    archive('course_1');
    const event = await next(stream);
    expect(event).toMatch(/^event: error\ndata: /);
    expect(JSON.parse(event!.split('data: ')[1]!)).toMatchObject({ error: 'gone', request_id: 'req_1' });
    expect((await stream.next()).done).toBe(true);
  });

  test('a service that does not answer delays the stream and does not end it', async () => {
    const { stream, catalog, archive } = await open({ patience: { currentReader: 5, look: 20, silence: 600_000 } });
    await next(stream);
    catalog.failing = true;
    archive('course_1');
    const waiting = next(stream);
    await new Promise((resolve) => setTimeout(resolve, 50));
    catalog.failing = false;
    expect(await waiting).toContain('"course_1"');
  });
});

describe('places for streams', () => {
  const refused = expect.objectContaining({ code: 'rate_limited' });
  const of = (client: string, subject = 'mem_1', address = '192.0.2.1') => ({
    principal: { client, subject },
    address,
  });
  const stranger = (address: string) => ({ principal: undefined, address });

  test('a client has five, and gets one back for each that ends, once', () => {
    const streams = new OpenStreams();
    const leave = Array.from({ length: 5 }, () => streams.enter('school_1', of('client_1')));
    expect(() => streams.enter('school_1', of('client_1'))).toThrow(refused);
    streams.enter('school_1', of('client_2'));
    streams.enter('school_2', of('client_1'));
    leave[0]!();
    leave[0]!();
    streams.enter('school_1', of('client_1'));
    expect(() => streams.enter('school_1', of('client_1'))).toThrow(refused);
  });

  test('S15: the addresses of one IPv6 network are one stranger, and a person has a number over all clients', () => {
    const streams = new OpenStreams();
    for (let last = 1; last <= 5; last += 1) streams.enter('school_1', stranger(`2001:db8::${last}`));
    expect(() => streams.enter('school_1', stranger('2001:db8::99'))).toThrow(refused);
    streams.enter('school_1', stranger('2001:db8:0:1::1'));
    for (let client = 0; client < 20; client += 1) streams.enter('school_1', of(`client_${client}`));
    expect(() => streams.enter('school_1', of('client_new'))).toThrow(refused);
    streams.enter('school_1', of('client_new', 'mem_2'));
  });

  test('S15: a school that is listened to from everywhere leaves room for others', () => {
    const streams = new OpenStreams();
    let position = 0;
    const fill = (school: string): void => {
      for (let at = 0; at < 600; at += 1)
        try {
          streams.enter(school, stranger(`10.${position >> 16}.${(position >> 8) & 255}.${position & 255}`));
          position += 1;
        } catch {
          return;
        }
    };
    for (const school of ['school_1', 'school_2', 'school_3', 'school_4', 'school_5']) fill(school);
    expect(position).toBeLessThan(2_000);
    streams.enter('school_6', stranger('192.0.2.1'));
  });

  test('S15: no address has more than its part over all schools and persons', () => {
    const streams = new OpenStreams();
    for (let school = 0; school < 200; school += 1) streams.enter(`school_${school}`, of('client_1', `mem_${school}`));
    expect(() => streams.enter('school_new', of('client_1', 'mem_new'))).toThrow(refused);
    streams.enter('school_new', of('client_1', 'mem_new', '192.0.2.2'));
  });
});
