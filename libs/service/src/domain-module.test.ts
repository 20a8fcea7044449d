import { memoryMail } from '@lyceum/mail';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Channel, memoryChannel } from '@lyceum/channel';
import { type Documents, memoryDocuments } from '@lyceum/documents';
import { memoryEphemeral } from '@lyceum/ephemeral';
import { type EventLog, Unavailable, Vault, memoryEventLog, memoryKeyStore } from '@lyceum/eventlog';
import { snapshotCollection } from '@lyceum/internal-api';
import { uuidv5 } from '@lyceum/kernel';
import { FakeClock, FakeIds } from '@lyceum/testkit';
import { domainModule } from './domain-module.ts';
import { type Arrival, followFacts } from './publishing/follow-facts.ts';
import { pino } from 'pino';
import type { ModulePorts, Started } from './module.ts';
import type { ToFact } from './publishing/envelope.ts';

const published = { slug: 'paper', title: 'Paper', access: 'free', listed: true };

const toFact: ToFact<'catalog'> = ({ type, stream, data }) =>
  type === 'CoursePublished'
    ? { type, data: { course_id: stream, ...(data as typeof published) } }
    : type === 'Broken'
      ? ({ type: 'CoursePublished', data: {} } as never)
      : undefined;

const titles = { name: 'titles', version: 1, fields: {} };

const catalog = domainModule({
  name: 'catalog',
  routes: ['/api/courses'],
  slices: [
    {
      name: 'courses',
      operations: [],
      toFact,
      projections: [
        {
          collection: titles,
          key: ({ stream, type }) => (type === 'CoursePublished' ? stream : undefined),
          project: ({ data }) => ({ title: (data as typeof published).title }),
        },
      ],
    },
  ],
});

describe('a domain service', () => {
  let log: EventLog;
  let documents: Documents;
  let channel: Channel;
  let ports: ModulePorts;
  let started: Started | undefined;
  const logged: string[] = [];

  beforeEach(() => {
    const clock = new FakeClock();
    log = memoryEventLog({ lanes: 2 });
    documents = memoryDocuments();
    channel = memoryChannel({ backoff: () => 5 });
    const rootKey = Buffer.alloc(32, 7);
    ports = {
      vault: new Vault(memoryKeyStore(), [rootKey]),
      rootKeys: [rootKey],
      log,
      documents,
      channel,
      mail: memoryMail(),
      clock,
      ids: new FakeIds(),
      ephemeral: memoryEphemeral(clock),
      cursorSecret: 'secret',
      settings: {} as ModulePorts['settings'],
      trust: {
        school: () => undefined,
        key: () => undefined,
        denied: () => false,
        role: () => undefined,
      },
      logger: pino({ level: 'debug' }, { write: (line) => void logged.push(line) }),
      upstream: () => {
        throw new Error('no siblings here');
      },
    };
  });
  afterEach(async () => {
    await started?.close();
    await channel.close();
    await log.close();
    started = undefined;
  });

  const append = (tenant: string, stream: string, type: string, data: unknown = {}) =>
    log.append({
      tenant,
      expectations: [],
      events: [
        {
          stream,
          type,
          schema: 1,
          data,
        },
      ],
      commitId: uuidv5(tenant, stream, type),
      fingerprint: '',
      at: '2026-01-05T08:00:00.000Z',
      meta: { actor: 'test' },
    });

  const follow = (consumer: string) => {
    const arrivals: Arrival[] = [];
    return { arrivals, feed: followFacts(ports, 'catalog', consumer, (arrival) => void arrivals.push(arrival)) };
  };

  test('needs the services that say whether a token is good, but never itself', () => {
    expect(catalog.consumes).toEqual(['school', 'auth']);
    expect(domainModule({ name: 'school', routes: [], slices: [] }).consumes).toEqual(['auth']);
  });

  test('is ready once its read models have what was written before it started', async () => {
    await append('school_1', 'course_1', 'CoursePublished', published);
    started = await catalog.start(ports);
    await started.ready?.();
    expect(await documents.get(titles, 'school_1', 'course_1')).toEqual({ title: 'Paper' });
    expect(await documents.get(titles, 'school_2', 'course_1')).toBeUndefined();
  });

  test('publishes the facts that cross, those of its past and those to come, in the envelope of the contract', async () => {
    await append('school_1', 'course_0', 'CourseCreated');
    await append('school_1', 'course_1', 'CoursePublished', published);
    const early = follow('early');
    started = await catalog.start(ports);
    await early.feed.caughtUp();
    await append('school_1', 'course_2', 'CoursePublished', published);
    await append('school_2', 'course_2', 'CoursePublished', published);
    const late = follow('late');
    await Promise.all([early.feed.caughtUp(), late.feed.caughtUp()]);
    const seen = ({ arrivals }: typeof early) => arrivals.map(({ tenant, fact }) => `${tenant} ${fact.subject}`).sort();
    expect(seen(early)).toEqual(['school_1 course_1', 'school_1 course_2', 'school_2 course_2']);
    expect(seen(late)).toEqual(seen(early));
    const first = early.arrivals.find(({ fact }) => fact.subject === 'course_1');
    expect(first).toMatchObject({
      source: 'catalog',
      at: '2026-01-05T08:00:00.000Z',
      fact: { type: 'CoursePublished', version: 1, data: { course_id: 'course_1', slug: 'paper' } },
    });
  });

  test('a reaction has the same id in every process, and another for every fact and effect', async () => {
    await append('school_1', 'course_1', 'CoursePublished', published);
    await append('school_1', 'course_2', 'CoursePublished', published);
    started = await catalog.start(ports);
    const [one, other] = [follow('one'), follow('other')];
    await Promise.all([one.feed.caughtUp(), other.feed.caughtUp()]);
    const ids = ({ arrivals }: typeof one) => arrivals.flatMap((each) => [each.reaction('key'), each.reaction('mail')]);
    expect(ids(one)).toEqual(ids(other));
    expect(new Set(ids(one)).size).toBe(4);
  });

  test('a start that fails leaves nothing behind: who tries again would have it twice', async () => {
    const begun: string[] = [];
    const closed: string[] = [];
    const subscribed: string[] = [];
    const left: string[] = [];
    ports = {
      ...ports,
      leases: {
        contend(name) {
          begun.push(name);
          return { current: () => undefined, close: async () => void closed.push(name) };
        },
        share(name) {
          begun.push(name);
          return { current: () => undefined, has: () => false, close: async () => void closed.push(name) };
        },
      },
      channel: {
        ...channel,
        subscribe(subscription) {
          subscribed.push(subscription.consumer);
          const following = channel.subscribe(subscription);
          return { ...following, close: () => following.close().then(() => void left.push(subscription.consumer)) };
        },
        offer: () => undefined,
      },
      log: { ...log, lanes: log.lanes, head: () => Promise.reject(new Unavailable('no answer')) },
    };
    const courses = { collection: titles, key: () => undefined, project: () => null };
    const nothing = { apply: () => [], recall: () => undefined, forget: () => undefined };
    const follower = domainModule({
      name: 'catalog',
      routes: [],
      slices: [
        {
          name: 'courses',
          operations: [],
          toFact,
          projections: [{ ...courses, collection: { ...titles, name: 'own' } }],
          follows: [{ source: 'school', projection: courses }],
          mirrors: [{ source: 'school', collection: snapshotCollection('mirrored', 1), state: () => nothing }],
        },
      ],
    });
    await expect(follower.start(ports)).rejects.toThrow('no answer');
    expect(begun).toEqual(['projections']);
    expect(closed).toEqual(['projections']);
    expect(subscribed.length).toBeGreaterThanOrEqual(2);
    expect(left.toSorted()).toEqual(subscribed.toSorted());
  });

  test('a fact that does not match its contract withholds its school, in order, and is reported; the others of its lane go on', async () => {
    started = await catalog.start(ports);
    const follower = follow('one');
    await append('school_1', 'course_1', 'Broken');
    await append('school_1', 'course_2', 'CoursePublished', published);
    await append('school_17', 'course_3', 'CoursePublished', published);
    await follower.feed.caughtUp();
    const told = follower.arrivals.map(({ tenant, fact }) => [tenant, fact.type]).sort();
    expect(told).toEqual([
      ['school_1', 'FactsWithheld'],
      ['school_17', 'CoursePublished'],
    ]);
    expect(logged.join('')).toContain('facts of a school are withheld');
    await follower.feed.close();
  });
});
