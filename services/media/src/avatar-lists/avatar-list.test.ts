import { expect, test } from '@jest/globals';
import { avatarList, withinADay } from './avatar-list.ts';

type Event = Parameters<typeof avatarList.evolve>[1];

const announced = (upload_id: string, own = true): Event => ({ type: 'AvatarAnnounced', data: { upload_id, own } });
const ended = (upload_id: string): Event => ({ type: 'AvatarEnded', data: { upload_id } });
const at = (hour: number): string => new Date(Date.UTC(2026, 0, 5, hour)).toISOString();

const listOf = (...events: readonly (readonly [Event, number])[]) =>
  events.reduce(
    (state, [event, hour], index) => avatarList.evolve(state, event, { at: at(hour), version: index + 1 }),
    avatarList.initial,
  );

test('a person’s list has what is announced and not ended, whose it is, and when own ones were announced', () => {
  const list = listOf([announced('a'), 0], [announced('b', false), 1], [announced('c'), 2], [ended('a'), 3]);
  expect(list.present).toEqual([
    { id: 'b', own: false },
    { id: 'c', own: true },
  ]);
  expect(list.announced).toEqual([at(0), at(2)]);
  expect(listOf([ended('unknown'), 0])).toEqual(avatarList.initial);
});

test('times are kept for 24 hours', () => {
  const list = listOf([announced('a'), 0], [announced('b'), 1], [announced('c'), 24]);
  expect(list.announced).toEqual([at(1), at(24)]);
  expect(withinADay(list.announced, at(25))).toEqual([at(24)]);
});
