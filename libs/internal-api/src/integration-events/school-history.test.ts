import { describe, expect, test } from '@jest/globals';
import { type History, type Message, memoryChannel } from '@lyceum/channel';
import { factHistory } from './school-history.ts';

const start = Date.parse('2026-01-05T08:00:00.000Z');
const timeOf = (position: number): string => new Date(start + position * 1000).toISOString();

/** A lane in which only every third commit has facts, of two schools in turn. */
function lane(length: number): Message[] {
  const messages: Message[] = [];
  for (let position = 3; position <= length; position += 3)
    messages.push({
      source: 'catalog',
      lane: 0,
      position,
      previous: position - 3,
      tenant: position % 2 ? 'school_1' : 'school_2',
      at: timeOf(position),
      facts: [{ id: `f${position}`, type: 'T', schema: 1, subject: 's', version: 1, data: {} }],
    });
  return messages;
}

function opened(length: number, epoch?: string) {
  const messages = lane(length);
  const history: History = {
    lanes: 1,
    backfill: async (_, after, limit) => messages.filter(({ position }) => position > after).slice(0, limit),
    heads: async () => ({ heads: [length], ...(epoch ? { epoch } : {}) }),
  };
  const asked: History[] = [];
  const channel = memoryChannel();
  const told = factHistory('catalog', channel, async () => (asked.push(history), history));
  return { told, asked, channel, history };
}

describe('what a service has told of a school', () => {
  test('is the school’s alone, in order, up to the head also where nothing is told', async () => {
    const { told } = opened(20);
    const { published: found, reached, more } = await told.after('school_1', 0, 100);
    expect(found.map(({ position }) => position)).toEqual([3, 9, 15]);
    expect([reached, more]).toEqual([20, false]);
  });

  test('S10: what other schools of the lane have told is read past once, not at every request', async () => {
    const { told, history } = opened(60_000);
    let read = 0;
    const counted = {
      ...history,
      backfill: async (...asked: Parameters<History['backfill']>) => {
        const page = await history.backfill(...asked);
        read += page.length;
        return page;
      },
    };
    const small = factHistory('catalog', memoryChannel(), async () => counted);
    const toTheEnd = async () => {
      for (let at = 0, more = true; more;) ({ reached: at, more } = await small.after('school_tiny', at, 50));
    };
    await Promise.all([toTheEnd(), toTheEnd(), toTheEnd()]);
    expect(read).toBeLessThan(1.5 * 20_000);
    const before = read;
    for (let time = 0; time < 20; time += 1) await toTheEnd();
    expect(read).toBe(before);
    expect((await told.after('school_1', 0, 10)).published.length).toBeGreaterThanOrEqual(10);
  });

  test('S10: however many readers a school has, others have their turn between two of them; the same is read once', async () => {
    const { history } = opened(30_000);
    const order: string[] = [];
    const backfill: History['backfill'] = async (...asked) => {
      order.push('read');
      return history.backfill(...asked);
    };
    const told = factHistory('catalog', memoryChannel(), async () => ({ ...history, backfill }));
    const asked = [...Array(20).keys(), ...Array(20).keys()].map((at) => told.after('school_1', at * 1_500, 10));
    let isOver = false;
    const others = () => void (isOver || (order.push('others'), setImmediate(others)));
    setImmediate(others);
    const answers = await Promise.all(asked);
    isOver = true;
    expect(answers.map((each) => each.published.length)).toEqual(Array.from({ length: 40 }, () => expect.any(Number)));
    const reads = order.flatMap((each, at) => (each === 'read' ? [at] : []));
    expect(reads).toHaveLength(20);
    expect(order.join(' ')).not.toContain('read read');
  });

  test('S10: readers at different places, and of different schools, have the pages of a lane from memory; news are read', async () => {
    const messages = lane(900);
    let [reads, head] = [0, 900];
    const backfill: History['backfill'] = async (_, after, limit) => {
      reads += 1;
      return messages.filter(({ position }) => position > after).slice(0, limit);
    };
    const history: History = { lanes: 1, backfill, heads: async () => ({ heads: [head] }) };
    const told = factHistory('catalog', memoryChannel(), async () => history);
    const all = async (school: string, from: number) => {
      const positions: number[] = [];
      for (let at = from, more = true; more;) {
        const part = await told.after(school, at, 7);
        positions.push(...part.published.map(({ position }) => position));
        ({ reached: at, more } = part);
      }
      return positions;
    };
    const of = (school: string, from: number) =>
      messages.flatMap(({ tenant, position }) => (tenant === school && position > from ? position : []));
    for (const from of [0, 3, 7, 99, 100, 101, 450, 899, 900])
      for (const school of ['school_1', 'school_2']) expect(await all(school, from)).toEqual(of(school, from));
    for (let from = 0; from < 900; from += 7) await all('school_1', from);
    // There are nine positions at which a page begins, and the end.
    expect(reads).toBeLessThanOrEqual(10);
    messages.push({ ...messages.at(-1)!, tenant: 'school_1', position: 903 });
    head = 903;
    expect(await all('school_1', 890)).toEqual([891, 897, 903]);
  });

  test('a school that speaks after a long silence is heard, wherever its reader begins', async () => {
    const { history } = opened(3_000);
    const late = { ...lane(3)[0]!, tenant: 'school_tiny', position: 2_901, previous: 2_898 };
    const backfill: History['backfill'] = async (at, after, limit) =>
      (await history.backfill(at, after, 10_000))
        .map((each) => (each.position === 2_901 ? late : each))
        .slice(0, limit);
    const small = factHistory('catalog', memoryChannel(), async () => ({ ...history, backfill }));
    for (const from of [0, 0, 500, 2_898, 2_900, 2_901, 0]) {
      const found: number[] = [];
      for (let at = from, more = true; more;) {
        const part = await small.after('school_tiny', at, 50);
        found.push(...part.published.map(({ position }) => position));
        ({ reached: at, more } = part);
      }
      expect(found).toEqual(from < 2_901 ? [2_901] : []);
    }
  });

  test('a long lane is read in parts that fit together', async () => {
    const { told } = opened(20_000);
    const positions: number[] = [];
    let [at, more] = [0, true];
    while (more) {
      const part = await told.after('school_2', at, 50);
      positions.push(...part.published.map(({ position }) => position));
      expect(part.reached).toBeGreaterThan(at);
      [at, more] = [part.reached, part.more];
    }
    expect(positions).toEqual(lane(20_000).flatMap(({ tenant, position }) => (tenant === 'school_2' ? position : [])));
    expect(at).toBe(20_000);
  });

  test.each([0, 1, 3, 4, 500, 998, 1_000, 2_000])(
    'since second %d nothing is left out and nothing is older',
    async (second) => {
      const { told } = opened(1_000);
      const from = await told.since('school_1', timeOf(second));
      const { published: found } = await told.after('school_1', from, 1_000);
      const wanted = lane(1_000).filter(({ tenant, at }) => tenant === 'school_1' && at >= timeOf(second));
      expect(found.map(({ position }) => position)).toEqual(wanted.map(({ position }) => position));
    },
  );

  test('a school that came with times of years ago hides nothing of the others of its lane', async () => {
    const { channel, history } = opened(1_000);
    const old = '2020-01-01T00:00:00.000Z';
    const moved = (message: Message): Message =>
      message.position > 500 ? { ...message, tenant: 'school_3', at: old, arrived: timeOf(message.position) } : message;
    const all = lane(1_000).map(moved);
    const backfill: History['backfill'] = async (_, after, limit) =>
      all.filter(({ position }) => position > after).slice(0, limit);
    const told = factHistory('catalog', channel, async () => ({ ...history, backfill }));
    const from = await told.since('school_1', timeOf(100));
    const { published: found } = await told.after('school_1', from, 1_000);
    expect(found).toHaveLength(all.filter(({ tenant, at }) => tenant === 'school_1' && at >= timeOf(100)).length);
    expect(found.length).toBeGreaterThan(50);
  });

  test('the head names the life of the log; the owner is looked for once', async () => {
    const { told, asked } = opened(7, 'first');
    expect(await told.head('school_1')).toEqual({ position: 7, epoch: 'first' });
    await told.head('school_2');
    expect(asked).toHaveLength(1);
  });

  test('it rings for what is new and not for what was', async () => {
    const { told, channel, history } = opened(12);
    const first = async () => ({ heads: [9] });
    const before = factHistory('catalog', channel, async () => ({ ...history, heads: first }));
    expect(await before.head('school_1')).toEqual({ position: 9 });
    const rung: string[] = [];
    let following: ReturnType<typeof before.follow> | undefined;
    const rings = new Promise<void>((resolve) => {
      following = before.follow((school) => (rung.push(school), resolve()));
    });
    channel.offer('catalog', 1, history.backfill, history.heads);
    await rings;
    expect((await told.head('school_1')).position).toBe(12);
    expect(rung).toEqual(['school_2']);
    await following!.close();
    await channel.close();
  });

  test('an owner that does not answer is an error, and asked again', async () => {
    let answers = false;
    const { history, channel } = opened(3);
    const told = factHistory('catalog', channel, async () => (answers ? history : undefined));
    await expect(told.head('school_1')).rejects.toThrow('catalog');
    answers = true;
    expect(await told.head('school_1')).toEqual({ position: 3 });
  });
});
