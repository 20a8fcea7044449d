import { afterEach, describe, expect, test } from '@jest/globals';
import { Inbox } from './inbox.ts';
import type { Message } from '../port.ts';
import { Listener, Owner } from '../testing/owner.ts';

const until = async (condition: () => boolean): Promise<void> => {
  for (const end = Date.now() + 5_000; !condition() && Date.now() < end;)
    await new Promise((resolve) => setTimeout(resolve, 2));
};

describe('inbox', () => {
  const inboxes: Inbox[] = [];
  afterEach(() => Promise.all(inboxes.splice(0).map((inbox) => inbox.close())));
  const open = (...args: ConstructorParameters<typeof Inbox>): Inbox => {
    const inbox = new Inbox(...args);
    inboxes.push(inbox);
    return inbox;
  };

  test('a lost last message is found after the idle time', async () => {
    const owner = new Owner();
    const listener = new Listener();
    await open(listener, 0, owner.backfill, { idle: 10 }).caughtUp();
    owner.commit(0, 'never published');
    await until(() => listener.heard[0]!.length > 0);
    expect(listener.heard[0]).toEqual(['never published']);
  });

  test('without an idle time, a quiet lane asks its owner nothing', async () => {
    const owner = new Owner();
    await open(new Listener(), 0, owner.backfill).caughtUp();
    const { reads } = owner;
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(owner.reads).toBe(reads);
  });

  test('more than a slow handler can take is forgotten and read from the owner', async () => {
    const owner = new Owner();
    const listener = new Listener();
    const inbox = open(listener, 0, owner.backfill);
    await inbox.caughtUp();
    for (let count = 0; count < 2_500; count += 1) owner.commit(0, `${count}`);
    for (const message of owner.unsent(0)) inbox.receive(message);
    await until(() => listener.heard[0]!.length >= 2_500);
    expect(listener.heard[0]).toEqual(owner.texts(0));
  });

  test('told to begin anew while its consumer says where to go on, it asks again: that was forgotten meanwhile', async () => {
    const owner = new Owner();
    owner.commit(0, 'one');
    const listener = new Listener();
    const positions = [1, 0];
    const inbox: Inbox = open(
      Object.assign(listener, {
        from: async () => {
          const position = positions.shift() ?? 0;
          if (position === 1) inbox.restart();
          return position;
        },
      }),
      0,
      owner.backfill,
    );
    await inbox.caughtUp();
    expect(listener.heard[0]).toEqual(['one']);
  });

  test('what is forgotten while the history is read is read once more', async () => {
    const owner = new Owner();
    const listener = new Listener();
    let isFirst = true;
    const inbox: Inbox = open(listener, 0, async (...args) => {
      const page = await owner.history(...args);
      if (isFirst) {
        isFirst = false;
        for (let count = 0; count < 1_001; count += 1) owner.commit(0, `${count}`);
        for (const message of owner.unsent(0)) inbox.receive(message);
      }
      return page;
    });
    await until(() => listener.heard[0]!.length >= 1_001);
    expect(listener.heard[0]).toEqual(owner.texts(0));
  });

  test('tells of what came twice, and of what is missing in front of a message', async () => {
    const owner = new Owner();
    const listener = new Listener();
    const told: unknown[] = [];
    const inbox = open(listener, 0, owner.backfill, {
      onDuplicate: (at) => told.push(['duplicate', at]),
      onGap: (at) => told.push(['gap', at]),
    });
    await inbox.caughtUp();
    for (const text of ['one', 'two', 'three']) owner.commit(0, text);
    const [one, , three] = owner.unsent(0);
    for (const message of [one!, one!, three!]) inbox.receive(message);
    await until(() => listener.heard[0]!.length === 3 && inbox.waiting === 0);
    expect(listener.heard[0]).toEqual(['one', 'two', 'three']);
    const at = { consumer: listener.consumer, source: listener.source, lane: 0 };
    expect(told).toEqual([
      ['duplicate', at],
      ['gap', at],
    ]);
  });

  test('a look that is asked for finds what no message tells of', async () => {
    const owner = new Owner();
    const listener = new Listener();
    const inbox = open(listener, 0, owner.backfill);
    await inbox.caughtUp();
    owner.commit(0, 'never published');
    inbox.recheck();
    await until(() => inbox.watermark === 1);
    expect(listener.heard[0]).toEqual(['never published']);
    expect(inbox.waiting).toBe(0);
  });

  test('who takes many at once gets what follows, from the history and from the transport, and after a throw again', async () => {
    const owner = new Owner();
    for (const text of ['a', 'b', 'c']) owner.commit(0, text);
    const given: number[][] = [];
    const listener = new Listener();
    let failures = 1;
    const many = {
      consumer: listener.consumer,
      source: listener.source,
      from: async () => 0,
      handle: () => Promise.reject(new Error('one at a time')),
      async handleAll(messages: readonly Message[]) {
        given.push(messages.map(({ position }) => position));
        if ((failures -= 1) >= 0) throw new Error('not now');
      },
    };
    const inbox = open(many, 0, owner.backfill, { backoff: () => 1 });
    await inbox.caughtUp();
    expect(given).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ]);
    for (const text of ['d', 'e', 'f', 'g']) owner.commit(0, text);
    const [four, five, , seven] = owner.unsent(0).slice(-4);
    for (const message of [four!, five!, four!, seven!]) inbox.receive(message);
    await until(() => inbox.watermark === 7 && inbox.waiting === 0);
    expect(given.slice(2)).toEqual([
      [4, 5],
      [6, 7],
    ]);
  });

  test('a watermark that cannot be read is asked for again', async () => {
    const owner = new Owner();
    for (const text of ['a', 'b']) owner.commit(0, text);
    const listener = new Listener([1, 0]);
    const read = listener.from.bind(listener);
    let failures = 2;
    listener.from = async (lane) => {
      failures -= 1;
      if (failures >= 0) throw new Error('unreachable');
      return read(lane);
    };
    await open(listener, 0, owner.backfill, { backoff: () => 1 }).caughtUp();
    expect(listener.heard[0]).toEqual(['b']);
  });

  test('tries follow the backoff given, counted per message', async () => {
    const owner = new Owner();
    for (const text of ['a', 'b']) owner.commit(0, text);
    const listener = new Listener();
    const asked: number[] = [];
    const tries = new Map<number, number>();
    listener.before = ({ position }) => {
      tries.set(position, (tries.get(position) ?? 0) + 1);
      if (tries.get(position)! < 3) throw new Error('not yet');
    };
    const backoff = (failures: number): number => {
      asked.push(failures);
      return 0;
    };
    const inbox = open(listener, 0, owner.backfill, { backoff });
    await inbox.caughtUp();
    expect(listener.heard[0]).toEqual(['a', 'b']);
    expect(asked).toEqual([1, 2, 1, 2]);
  });

  test('closing does not wait for a long backoff', async () => {
    const owner = new Owner();
    owner.commit(0, 'a');
    const listener = new Listener();
    listener.before = () => {
      throw new Error('never');
    };
    const failed: unknown[] = [];
    const inbox = open(listener, 0, owner.backfill, {
      backoff: () => 60_000,
      onError: (_error, at) => failed.push(at),
    });
    await until(() => failed.length > 0);
    await inbox.close();
    expect(failed).toEqual([{ consumer: 'listener', source: 'owner', lane: 0 }]);
    expect(listener.heard[0]).toEqual([]);
  });
});
