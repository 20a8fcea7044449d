import { afterEach, describe, expect, test } from '@jest/globals';
import { type Channel, type Message, type Subscription, memoryChannel } from '@lyceum/channel';
import { type EventTypes, UnknownEvent } from '@lyceum/kernel';
import { until } from '@lyceum/testkit';
import { type KnownEvents, historyInKnownVersions, withKnownVersions } from './known-versions.ts';

const data = { parse: (value: unknown) => value };
/** The release before knows the first version, the next one both: a name became two. */
const before: KnownEvents = () => ({ Named: { version: 1, data } }) satisfies EventTypes;
const next: KnownEvents = () =>
  ({
    Named: { version: 2, data, upcasters: [({ name }: { name: string }) => ({ first: name, last: '' })] },
  }) satisfies EventTypes;

const message = (position: number, schema: number, type = 'Named'): Message => ({
  source: 'school',
  lane: 0,
  position,
  previous: position - 1,
  tenant: 'school_1',
  at: '2026-01-05T08:00:00.000Z',
  facts: [
    {
      id: `f${position}`,
      type,
      schema,
      subject: 's',
      version: position,
      data: schema === 1 ? { name: `n${position}` } : { first: `n${position}`, last: 'l' },
    },
  ],
});

describe('integration events of two releases', () => {
  const opened: Channel[] = [];
  afterEach(async () => void (await Promise.all(opened.splice(0).map((channel) => channel.close()))));

  /** A follower that goes on from a place, and what it heard. */
  function follow(log: readonly Message[], known: KnownEvents, { from = 0, inBatches = false } = {}) {
    const unknown: unknown[] = [];
    const channel = memoryChannel({ backoff: () => 5 });
    opened.push(channel);
    channel.offer('school', 1, async (_, after, limit) =>
      log.filter(({ position }) => position > after).slice(0, limit),
    );
    const heard: Message[] = [];
    const handle = async (each: Message) => void (heard.at(-1)?.position !== each.position && heard.push(each));
    const subscription: Subscription = {
      consumer: 'c',
      source: 'school',
      from: async () => from,
      handle,
      ...(inBatches && {
        handleAll: async (all: readonly Message[]) =>
          void heard.push(...all.filter(({ position }) => position > (heard.at(-1)?.position ?? from))),
      }),
    };
    const lifting = withKnownVersions(channel, (source, position) => void unknown.push([source, position]), known);
    return { heard, unknown, subscribed: lifting.subscribe(subscription) };
  }
  const dataOf = (messages: readonly Message[]) => messages.flatMap(({ facts }) => facts.map((fact) => fact.data));

  test.each([false, true])(
    'the newer release lifts what the older one published (in batches: %s)',
    async (inBatches) => {
      const { heard, unknown, subscribed } = follow([message(1, 1), message(2, 2)], next, { inBatches });
      await subscribed.caughtUp();
      expect(dataOf(heard)).toEqual([
        { first: 'n1', last: '' },
        { first: 'n2', last: 'l' },
      ]);
      expect(heard.flatMap(({ facts }) => facts.map(({ schema }) => schema))).toEqual([2, 2]);
      expect(unknown).toEqual([]);
    },
  );

  test.each([false, true])(
    'the older release stands before a newer version and says so; its upgrade goes on there (in batches: %s)',
    async (inBatches) => {
      const log = [message(1, 1), message(2, 2), message(3, 1)];
      const old = follow(log, before, { inBatches });
      await until(() => old.unknown.length > 2);
      expect(dataOf(old.heard)).toEqual([{ name: 'n1' }]);
      expect(old.unknown[0]).toEqual(['school', 2]);
      await old.subscribed.close();
      const upgraded = follow(log, next, { inBatches, from: 1 });
      await upgraded.subscribed.caughtUp();
      expect(dataOf(upgraded.heard)).toEqual([
        { first: 'n2', last: 'l' },
        { first: 'n3', last: '' },
      ]);
    },
  );

  test('what a release does not know at all comes as it is, also by a name that every object has', async () => {
    const log = [message(1, 7, 'Other'), message(2, 7, 'constructor')];
    const { heard, subscribed } = follow(log, before);
    await subscribed.caughtUp();
    expect(heard).toEqual(log);
    const foreign = follow(log, () => undefined);
    await foreign.subscribed.caughtUp();
    expect(foreign.heard).toEqual(log);
  });

  test('a history that is read on demand is lifted likewise, and refused where it is newer', async () => {
    const log = [message(1, 1), message(2, 2)];
    const history = { lanes: 1, backfill: async () => log };
    expect(dataOf(await historyInKnownVersions(history, next).backfill(0, 0, 10))).toEqual([
      { first: 'n1', last: '' },
      { first: 'n2', last: 'l' },
    ]);
    await expect(historyInKnownVersions(history, before).backfill(0, 0, 10)).rejects.toThrow(UnknownEvent);
  });

  test('without another word, the events are those of the contracts', async () => {
    const one = message(1, 1, 'MemberErased');
    const newer = { ...one, facts: one.facts.map((fact) => ({ ...fact, schema: 99 })) };
    const read = (log: Message) => historyInKnownVersions({ lanes: 1, backfill: async () => [log] }).backfill(0, 0, 1);
    expect(await read(one)).toEqual([one]);
    await expect(read(newer)).rejects.toThrow('MemberErased v99 is newer than v1');
  });
});
