import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type BackingServer, availability, until } from '@lyceum/testkit';
import { type Admin, type Kafka, type KafkaClients, type KafkaMessage, kafkaClients } from './kafka-driver.ts';
import { type KafkaChannel, type KafkaChannelOptions, channelThrough, kafkaChannel } from './kafka.ts';
import type { Channel, History, Message, Subscription } from '../port.ts';
import { Listener, Owner } from '../testing/owner.ts';

const { engines, reason } = await availability('kafka');
if (engines.length === 0) test.skip(`kafkaChannel: ${reason}`, () => undefined);

describe.each(engines)('kafkaChannel on $title', (engine) => {
  let server: BackingServer;
  let clients: KafkaClients;
  let kafka: Kafka;
  let admin: Admin;
  let prefix = '';
  const opened: KafkaChannel[] = [];
  const brokers = () => server.url.split(',');
  beforeAll(async () => {
    server = await engine.start();
    clients = await kafkaClients({ brokers: brokers(), clientId: 'operator' });
    kafka = clients();
    admin = kafka.admin();
    await admin.connect();
  }, 90_000);
  afterEach(async () => void (await Promise.all(opened.splice(0).map((channel) => channel.close()))));
  afterAll(async () => {
    await admin.disconnect();
    await server.stop();
  });
  const open = async (options: Partial<KafkaChannelOptions> = {}): Promise<KafkaChannel> => {
    if (opened.length === 0) prefix = `${randomUUID()}.`;
    const channel = await kafkaChannel({ brokers: brokers(), clientId: 'test', prefix, backoff: () => 10, ...options });
    opened.push(channel);
    return channel;
  };

  test('a follower that starts late, when Kafka has dropped the records, hears everything in order', async () => {
    const owner = new Owner();
    const channel = await open();
    owner.offerTo(channel);
    for (let count = 0; count < 300; count += 1) owner.commit(0, `${count}`);
    await owner.publishTo(channel);
    const partitions = [{ partition: 0, offset: '-1' }];
    // The driver deletes only in topics that it has looked at.
    await admin.fetchTopicOffsets(`${prefix}owner.events`);
    await admin.deleteTopicRecords({ topic: `${prefix}owner.events`, partitions });
    const listener = new Listener();
    await channel.subscribe(listener).caughtUp();
    expect(listener.heard[0]).toEqual(owner.texts(0));
    owner.commit(0, 'live');
    await owner.publishTo(channel);
    await until(() => listener.heard[0]!.length === 301);
    expect(listener.heard[0]).toEqual(owner.texts(0));
  });

  test('a topic that is gone, as after a broker lost its disk, is made again, and what is published comes through it', async () => {
    const { channel, owner, listener } = await following(await open({ watchEvery: 500, stallAfter: 500 }));
    owner.commit(0, 'before');
    await owner.publishTo(channel);
    await until(() => listener.heard[0]!.length === 1);
    const topic = `${prefix}owner.events`;
    await admin.deleteTopics({ topics: [topic] });
    const { received } = channel.counts();
    const publish = async () => {
      owner.commit(0, 'again');
      await channel.publish(owner.unsent(0)).catch(() => undefined);
      await pause(200);
      return channel.counts().received > received;
    };
    await until(publish, 'a record', 60_000);
    await until(() => listener.heard[0]!.length === owner.texts(0).length);
    expect(listener.heard[0]).toEqual(owner.texts(0));
  }, 150_000);

  test('what is published twice is received twice and handled once', async () => {
    const { channel, owner, listener } = await following(await open());
    for (const text of ['a', 'b']) owner.commit(0, text);
    const messages = owner.unsent(0);
    for (let time = 0; time < 2; time += 1) await channel.publish(messages);
    await until(() => channel.counts().received === 4);
    expect(listener.heard[0]).toEqual(['a', 'b']);
  });

  test('an unreadable record becomes a dead letter, is counted, and its place is read from the owner', async () => {
    const trouble: unknown[] = [];
    const { channel, owner, listener } = await following(await open({ onTrouble: (error) => trouble.push(error) }));
    owner.commit(0, 'a');
    const producer = kafka.producer();
    await producer.connect();
    const headers = { ce_specversion: '1.0', colour: 'blue' };
    const topic = `${prefix}owner.events`;
    await producer.send({ topic, messages: [{ partition: 0, key: 'k', value: 'garbage', headers }] });
    await producer.disconnect();
    await until(() => listener.heard[0]!.length === 1);
    expect(listener.heard[0]).toEqual(['a']);
    expect(channel.counts().unreadable).toBe(1);
    expect(trouble.map(String)).toEqual(['PermanentDecode: no ce_source']);
    const [letter] = await records(kafka, admin, `${prefix}owner.dead`, 1);
    expect(letter?.value?.toString()).toBe('garbage');
    const reasons = Object.entries(letter?.headers ?? {}).map(([name, value]) => [name, value?.toString()]);
    expect(Object.fromEntries(reasons)).toMatchObject({
      colour: 'blue',
      dead_reason: 'no ce_source',
      dead_partition: '0',
      dead_offset: '0',
    });
  });

  test('C8: a loss that no later message tells of is found by looking at the owner', async () => {
    const { owner, listener } = await following(await open({ watchEvery: 50 }));
    owner.commit(1, 'never published');
    await until(() => listener.heard[1]!.length === 1);
    expect(listener.heard[1]).toEqual(['never published']);
  });

  test('an owner whose head did not move is not asked for its history', async () => {
    const channel = await open({ watchEvery: 20 });
    const owner = new Owner();
    owner.commit(0, '-private');
    owner.commit(0, '-private');
    channel.offer('owner', 2, owner.backfill, async () => ({ heads: [2, 0] }));
    await channel.subscribe(new Listener()).caughtUp();
    // The first look reads up to the head; every later one sees that nothing is new.
    await pause(200);
    const { reads } = owner;
    await pause(200);
    expect(owner.reads).toBe(reads);
  });

  test('a slow handler makes Kafka wait: its backlog is neither piled up nor read from the owner', async () => {
    // A look at the owner while Kafka's records are on their way would read them from there.
    const { channel, owner, listener } = await following(await open({ watchEvery: 60_000 }));
    const { reads } = owner;
    listener.before = async ({ lane, position }) => void (lane === 0 && position % 50 === 0 && (await pause(5)));
    for (let count = 0; count < 2_000; count += 1) owner.commit(0, `${count}`);
    const messages = owner.unsent(0);
    for (let at = 0; at < messages.length; at += 500) await channel.publish(messages.slice(at, at + 500));
    await until(() => listener.heard[0]!.length === 2_000);
    expect(listener.heard[0]).toEqual(owner.texts(0));
    expect(owner.reads).toBe(reads);
  });

  test('one follower that is stuck does not hold up another of the same process', async () => {
    const stuck = new Listener([0, 0], 'stuck');
    let isStuck = true;
    stuck.before = () => {
      if (isStuck) throw new Error('stuck');
    };
    const { channel, owner, listener } = await following(await open());
    const other = channel.subscribe(stuck);
    for (let count = 0; count < 1_500; count += 1) owner.commit(0, `${count}`);
    await owner.publishTo(channel);
    await until(() => listener.heard[0]!.length === 1_500);
    isStuck = false;
    await other.caughtUp();
    expect(stuck.heard[0]).toEqual(owner.texts(0));
  });

  test('a source elsewhere is followed through its history and Kafka, also when it cannot be reached at first', async () => {
    const owner = new Owner();
    const far = await open({ clientId: 'owner' });
    owner.offerTo(far);
    owner.commit(0, 'a');
    await owner.publishTo(far);
    let tries = 0;
    const history = async (): Promise<History> => {
      tries += 1;
      if (tries < 3) throw new Error('unreachable');
      return { lanes: 2, backfill: owner.backfill };
    };
    const near = await open({ history, watchEvery: 60_000 });
    const listener = new Listener();
    await near.subscribe(listener).caughtUp();
    expect(listener.heard[0]).toEqual(['a']);
    const { reads } = owner;
    owner.commit(0, 'b');
    await owner.publishTo(far);
    await until(() => listener.heard[0]!.length === 2);
    expect(owner.reads).toBe(reads);
  });

  test('E-C8: facts that lie in Kafka are handled while their owner is away, by who starts, and by who gets a lane then', async () => {
    const owner = new Owner(2, 'first');
    const home = await open({ clientId: 'owner' });
    owner.offerTo(home);
    const model = new ReadModel(2);
    let isAway = false;
    const history = async (): Promise<History> => {
      const asked = <T>(answer: () => Promise<T>): Promise<T> =>
        isAway ? Promise.reject(new Error('unreachable')) : answer();
      await asked(owner.heads);
      return {
        lanes: 2,
        backfill: (...range) => asked(() => owner.history(...range)),
        heads: () => asked(owner.heads),
      };
    };
    const tell = async (text: string): Promise<void> => {
      for (const lane of [0, 1]) owner.commit(lane, `${text} ${lane}`);
      await owner.publishTo(home);
    };
    for (const text of ['a', 'b']) await tell(text);
    const before = await open({ history });
    await before.subscribe(model.member('before')).caughtUp();
    await before.close();
    isAway = true;
    const { begun } = model;
    for (const text of ['c', 'd']) await tell(text);
    const alone = (await open({ history, watchEvery: 200 })).subscribe(model.member('alone'));
    await until(() => model.total() === 8);
    const other = (await open({ history, watchEvery: 200 })).subscribe(model.member('other'));
    await until(async () => (await tell('more'), await pause(200), model.holders().size === 2));
    expect(model.begun).toBe(begun);
    isAway = false;
    await tell('last');
    await Promise.all([alone.caughtUp(), other.caughtUp()]);
    expect(model.texts).toEqual([owner.texts(0), owner.texts(1)]);
  });

  test('mode shared: two processes divide the lanes, hand them over at a rebalance, and together apply each lane once and in order', async () => {
    const owner = new Owner(4);
    const model = new ReadModel(4);
    const home = await open({ clientId: 'owner' });
    owner.offerTo(home);
    const history: KafkaChannelOptions['history'] = () => ({ lanes: 4, backfill: owner.history });
    const publishing = new Publishing(owner, home);
    const first = (await open({ history })).subscribe(model.member('one'));
    await first.caughtUp();
    await until(() => model.holders().size === 1 && model.total() > 50);
    const second = (await open({ history })).subscribe(model.member('two'));
    await until(() => model.holders().size === 2);
    expect(model.lanesOf('one')).toHaveLength(2);
    await until(() => [...first.lanes(), ...second.lanes()].toSorted().join() === '0,1,2,3');
    expect([first.lanes().length, second.lanes().length]).toEqual([2, 2]);
    await second.caughtUp();
    await first.close();
    await until(() => model.lanesOf('two').length === 4);
    expect([first.lanes(), second.lanes()]).toEqual([[], [0, 1, 2, 3]]);
    await publishing.stop();
    await second.caughtUp();
    for (let lane = 0; lane < 4; lane += 1) expect(model.texts[lane]).toEqual(owner.texts(lane));
  });

  test('mode shared: offsets of what was handled are committed, for tools that show lag', async () => {
    const { channel, owner, listener } = await following(
      await open(),
      Object.assign(new Listener(), { mode: 'shared' }),
    );
    for (const text of ['a', 'b', 'c']) owner.commit(0, text);
    await owner.publishTo(channel);
    await until(() => listener.heard[0]!.length === 3);
    await channel.close();
    const groupId = `${prefix}listener.owner`;
    const [topic] = await admin.fetchOffsets({ groupId, topics: [`${prefix}owner.events`] });
    expect(topic?.partitions.find(({ partition }) => partition === 0)?.offset).toBe('3');
  });

  test('mode shared: a process cannot follow a source twice under one name', async () => {
    const { channel } = await following(await open(), sharing());
    expect(() => channel.subscribe(sharing())).toThrow('already follows');
  });

  test('topics: ten processes make one at once, with the partitions and the retention wanted', async () => {
    const channels = await Promise.all(
      Array.from({ length: 10 }, () => open({ prefix: 'made.', retention: 3_600_000 })),
    );
    await Promise.all(
      channels.map(async (channel, lane) => {
        channel.offer('owner', 10, async () => []);
        await channel.publish([{ ...message, lane }]);
      }),
    );
    const { topics } = await admin.fetchTopicMetadata({ topics: ['made.owner.events'] });
    expect(topics[0]?.partitions).toHaveLength(10);
    const { resources } = await admin.describeConfigs({
      includeSynonyms: false,
      resources: [{ type: 2, name: 'made.owner.events', configNames: ['retention.ms'] }],
    });
    expect(resources[0]?.configEntries[0]?.configValue).toBe('3600000');
  });

  test('K1: leaving takes less than a second, and others get the lanes at once', async () => {
    const { channel, owner, listener, subscribed } = await following(await open(), sharing());
    owner.commit(0, 'a');
    await owner.publishTo(channel);
    await until(() => listener.heard[0]!.length === 1);
    // The next fetch is under way.
    await pause(200);
    const began = Date.now();
    await subscribed.close();
    expect(Date.now() - began).toBeLessThan(1_000);
    // A member that only stays away keeps its lanes until its session ends.
    const { groups } = await admin.describeGroups([`${prefix}listener.owner`]);
    expect(groups.map(({ members }) => members)).toEqual([[]]);
  });

  test('a consumer that stands still is replaced', async () => {
    const options = {
      brokers: brokers(),
      clientId: 'test',
      prefix: `${randomUUID()}.`,
      watchEvery: 50,
      stallAfter: 200,
    };
    const channel = channelThrough(withSleepingConsumer(clients), options);
    opened.push(channel);
    const { owner, listener } = await following(channel);
    for (let count = 0; channel.counts().restarts === 0; count += 1) {
      owner.commit(0, `${count}`);
      await owner.publishTo(channel);
      await pause(50);
    }
    expect(channel.counts().received).toBe(0);
    await until(async () => {
      owner.commit(0, 'awake');
      await owner.publishTo(channel);
      return channel.counts().received > 0;
    });
    await until(() => listener.heard[0]!.length === owner.texts(0).length);
    expect(listener.heard[0]).toEqual(owner.texts(0));
  });

  test('C6, R3: a broker killed and restarted under publishing costs time only', async () => {
    const owner = new Owner();
    const channel = await open({ watchEvery: 60_000 });
    owner.offerTo(channel);
    const listener = new Listener();
    const subscribed = channel.subscribe(listener);
    await subscribed.caughtUp();
    const publishing = new Publishing(owner, channel);
    await until(() => listener.heard[0]!.length > 20);
    await server.kill();
    await until(() => publishing.failures > 0);
    const before = listener.heard[0]!.length;
    await server.restart();
    await until(() => listener.heard[0]!.length > before + 20);
    await publishing.stop();
    await subscribed.caughtUp();
    expect(listener.heard).toEqual([owner.texts(0), owner.texts(1)]);
  });

  test('without Kafka, history alone keeps a follower going', async () => {
    const owner = new Owner();
    owner.commit(0, 'a');
    const channel = await open({ brokers: ['127.0.0.1:1'], watchEvery: 100 });
    owner.offerTo(channel);
    const listener = new Listener();
    await channel.subscribe(listener).caughtUp();
    expect(listener.heard[0]).toEqual(['a']);
    owner.commit(0, 'b');
    await expect(owner.publishTo(channel)).rejects.toThrow();
    await until(() => listener.heard[0]!.length === 2);
    expect(listener.heard[0]).toEqual(['a', 'b']);
  });
});

const message: Message = { source: 'owner', lane: 0, position: 1, previous: 0, tenant: 't', at: '', facts: [] };

const sharing = () => Object.assign(new Listener(), { mode: 'shared' } as const);

/** A channel with an owner and a follower that has caught up. */
async function following(channel: KafkaChannel, listener = new Listener()) {
  const owner = new Owner();
  owner.offerTo(channel);
  const subscribed = channel.subscribe(listener);
  await subscribed.caughtUp();
  return { channel, owner, listener, subscribed };
}

/** Commits and publishes on every lane without pause; as the relay does, it repeats what was refused before it goes on. */
class Publishing {
  failures = 0;
  #stopped = false;
  readonly #loops: Promise<unknown>;

  constructor(owner: Owner, channel: Channel) {
    this.#loops = Promise.all(Array.from({ length: owner.lanes }, (_, lane) => this.#loop(owner, channel, lane)));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#loops;
  }

  async #loop(owner: Owner, channel: Channel, lane: number): Promise<void> {
    for (let count = 0; !this.#stopped; count += 1) {
      owner.commit(lane, `${lane}-${count}`);
      const messages = owner.unsent(lane);
      for (let done = false; !done;)
        done = await channel.publish(messages).then(
          () => true,
          () => pause(50, ((this.failures += 1), false)),
        );
      await pause(5);
    }
  }
}

/** Documents that several processes write: what is applied, and the durable watermark of each lane. */
class ReadModel {
  readonly texts: string[][];
  /** How often it was asked for a place by who could ask the owner. */
  begun = 0;
  readonly #marks: number[];
  readonly #ids: (string | undefined)[] = [];
  readonly #holder: string[];

  constructor(lanes: number) {
    this.texts = Array.from({ length: lanes }, () => []);
    this.#marks = Array.from({ length: lanes }, () => 0);
    this.#holder = Array.from({ length: lanes }, () => '');
  }

  member(name: string): Subscription {
    return {
      consumer: 'read-model',
      source: 'owner',
      mode: 'shared',
      from: async (lane) => {
        this.begun += 1;
        return this.#marks[lane]!;
      },
      kept: async (lane) => ({ at: { position: this.#marks[lane]!, commitId: this.#ids[lane] }, epoch: 'first' }),
      handle: async ({ lane, position, commitId, facts }) => {
        await pause(1);
        this.#holder[lane] = name;
        if (position <= this.#marks[lane]!) return;
        [this.#marks[lane], this.#ids[lane]] = [position, commitId];
        this.texts[lane]!.push(...facts.map(({ data }) => (data as { text: string }).text));
      },
    };
  }

  holders = (): ReadonlySet<string> => new Set(this.#holder);
  lanesOf = (name: string): readonly string[] => this.#holder.filter((holder) => holder === name);
  total = (): number => this.texts.flat().length;
}

/** A client whose first consumer joins its group and never hands anything over. */
function withSleepingConsumer(clients: KafkaClients): KafkaClients {
  let made = 0;
  return (sockets) => {
    const kafka = clients(sockets);
    const consumer: Kafka['consumer'] = (config) => {
      const real = kafka.consumer(config);
      made += 1;
      if (made > 1) return real;
      return { ...real, run: (given) => real.run({ ...given, eachBatch: () => pause(20) }) };
    };
    return {
      consumer,
      admin: (config) => kafka.admin(config),
      producer: (config) => kafka.producer(config),
      logger: () => kafka.logger(),
    };
  };
}

/** All records of a topic, read by a consumer of its own. */
async function records(kafka: Kafka, admin: Admin, topic: string, count: number): Promise<readonly KafkaMessage[]> {
  await until(async () => (await admin.listTopics()).includes(topic));
  const consumer = kafka.consumer({ groupId: randomUUID(), maxWaitTimeInMs: 100 });
  const found: KafkaMessage[] = [];
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  await consumer.run({ eachMessage: async ({ message }) => void found.push(message) });
  await until(() => found.length >= count);
  await consumer.disconnect();
  return found;
}
