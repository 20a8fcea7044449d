import { describe, expect, test } from '@jest/globals';
import { FakeClock } from '@lyceum/testkit';
import { BadSignatureLimiter, TooManyForgeries } from '../index.ts';

const setUp = (perMinute = 3) => {
  const clock = new FakeClock();
  const forgeries = new BadSignatureLimiter(clock, perMinute);
  const show = (isGood: boolean, from = 'a') => forgeries.begin(from)(isGood);
  return { clock, forgeries, show };
};

describe('the count of bad signatures', () => {
  test('lets an address show as many as the quota, then one for each part of the minute', () => {
    const { clock, show } = setUp();
    for (let shown = 0; shown < 3; shown += 1) show(false);
    expect(() => show(false)).toThrow(TooManyForgeries);
    expect(() => show(true)).toThrow(expect.objectContaining({ wait: 20 }));
    show(false, 'b');
    clock.advance(20_000);
    show(false);
    expect(() => show(false)).toThrow(TooManyForgeries);
    clock.advance(60_000);
    for (let shown = 0; shown < 3; shown += 1) show(false);
  });

  test('never holds up an address with good signatures only, however many at once', () => {
    const { forgeries, show } = setUp();
    const all = Array.from({ length: 100 }, () => forgeries.begin('a'));
    for (const settle of all) settle(true);
    for (let shown = 0; shown < 100; shown += 1) show(true);
  });

  test('lets good ones pass beside bad ones while there is quota, and takes nothing for them', () => {
    const { show } = setUp();
    show(false);
    for (let shown = 0; shown < 100; shown += 1) show(true);
    show(false);
    show(false);
    expect(() => show(true)).toThrow(TooManyForgeries);
  });

  test('once there was a bad one, no more than the quota are checked at once', () => {
    const { forgeries, show } = setUp();
    show(false);
    forgeries.begin('a');
    forgeries.begin('a');
    expect(() => forgeries.begin('a')).toThrow(TooManyForgeries);
  });

  test('many bad ones that were begun at once count no longer than a minute', () => {
    const { clock, forgeries, show } = setUp();
    for (const settle of Array.from({ length: 100 }, () => forgeries.begin('a'))) settle(false);
    expect(() => show(true)).toThrow(TooManyForgeries);
    clock.advance(20_000);
    show(true);
    show(false);
    clock.advance(-3_600_000);
    show(true);
  });
});
