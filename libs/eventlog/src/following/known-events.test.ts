import { describe, expect, test } from '@jest/globals';
import { UnknownEvent } from '@lyceum/kernel';
import { until } from '@lyceum/testkit';
import { followLog } from '../follow.ts';
import { withKnownEvents } from './known-events.ts';
import { memoryEventLog } from '../memory/memory.ts';
import { startRelay } from './relay.ts';
import { sampleAppend } from '../testing.ts';

const tenant = 'school_a';

describe('E-A1: two releases on one log', () => {
  test('followers of the old one stand before an event of the new one, and go on once they know it', async () => {
    const log = memoryEventLog();
    const write = (type: string) => {
      const { events, ...rest } = sampleAppend({ tenant });
      return log.append({ ...rest, events: [{ ...events[0]!, type }] });
    };
    for (const type of ['Old', 'New', 'Old', 'Old', 'New']) await write(type);
    const told: number[] = [];
    let isOld = true;
    const own = withKnownEvents(log, {
      whyUnknown: ({ type }) => (isOld && type === 'New' ? 'New is not declared' : undefined),
      onUnknown: (_error, _lane, position) => told.push(position),
    });
    const heard: string[] = [];
    const published: number[] = [];
    const errors: unknown[] = [];
    const following = followLog(own, {
      from: async (lane) => (lane === log.laneOf(tenant) ? heard.length : 0),
      handle: async (commits) => void heard.push(...commits.flatMap(({ events }) => events.map(({ type }) => type))),
      onError: (error) => errors.push(error),
      poll: 5,
    });
    const relay = startRelay(own, {
      from: async () => 0,
      publish: async (commits) => void published.push(...commits.map(({ position }) => position)),
      poll: 5,
    });
    await until(() => told.length >= 4 && published.length >= 1);
    expect([heard, published]).toEqual([['Old'], [1]]);
    expect(new Set(told)).toEqual(new Set([2]));
    expect(errors[0]).toBeInstanceOf(UnknownEvent);
    isOld = false;
    await Promise.all([following.caughtUp(), relay.caughtUp()]);
    await Promise.all([following.close(), relay.close()]);
    expect(published).toEqual([1, 2, 3, 4, 5]);
    expect(heard).toEqual(['Old', 'New', 'Old', 'Old', 'New']);
  });
});
