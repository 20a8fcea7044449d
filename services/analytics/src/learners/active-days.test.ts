import { expect, test } from '@jest/globals';
import type { Document } from '@lyceum/documents';
import fc from 'fast-check';
import { type Day, mondayOf, monthOf } from '../calendar/calendar.ts';
import { Changes, type Editing } from '../figures/changes.ts';
import { ActiveDays } from './active-days.ts';

/** Does work on documents that stay in memory. */
function performed<Result>(stored: Map<string, Document>, work: (changes: Changes) => Editing<Result>): Result {
  const changes = new Changes();
  const editing = work(changes);
  let asked = editing.next();
  while (!asked.done) asked = editing.next(stored.get(asked.value));
  for (const [id, body] of changes.bodies) if (body) stored.set(id, body);
  return asked.value;
}

const bump = (sums: Map<string, number>, name: string): void => void sums.set(name, (sums.get(name) ?? 0) + 1);

/** What is counted one by one as days become known. */
function counted(activity: readonly (readonly [string, Day])[]): Map<string, number> {
  const stored = new Map<string, Document>();
  const sums = new Map<string, number>();
  for (const [member, day] of activity) {
    const found = performed(stored, (changes) => new ActiveDays(changes, member).add('', day));
    if (!found) continue;
    bump(sums, `day ${day}`);
    if (found.isFirstOfWeek) bump(sums, `week ${mondayOf(day)}`);
    if (found.isFirstOfMonth) bump(sums, `month ${monthOf(day)}`);
    for (const length of [7, 30]) {
      const { start, end } = found.windowOf(length);
      for (let last = start; last < end; last += 1) bump(sums, `${length} ${last}`);
    }
  }
  return sums;
}

/** The same, of all that is known in the end: the members of each day, week, month and window, each once. */
function wanted(activity: readonly (readonly [string, Day])[]): Map<string, number> {
  const members = new Map<string, Set<string>>();
  const add = (name: string, member: string) => members.set(name, (members.get(name) ?? new Set()).add(member));
  for (const [member, day] of activity) {
    for (const name of [`day ${day}`, `week ${mondayOf(day)}`, `month ${monthOf(day)}`]) add(name, member);
    for (const length of [7, 30]) for (let end = day; end < day + length; end += 1) add(`${length} ${end}`, member);
  }
  return new Map(Array.from(members, ([name, { size }]) => [name, size]));
}

const sorted = (sums: Map<string, number>) => Object.fromEntries([...sums].sort());

test('in whatever order days become known, each member is counted once in each day, week, month and window', () => {
  // Around the end of a document, of a month and of a year.
  const day = fc.oneof(
    fc.integer({ min: 20_440, max: 20_500 }),
    fc.integer({ min: 384 * 53 - 40, max: 384 * 53 + 40 }),
  );
  const activity = fc.array(fc.tuple(fc.constantFrom('ada', 'bob', 'cem'), day), { maxLength: 60, size: 'max' });
  fc.assert(fc.property(activity, (all) => expect(sorted(counted(all))).toEqual(sorted(wanted(all)))));
});
