import { describe, expect, test } from '@jest/globals';
import { isRejection } from '@lyceum/kernel';
import fc from 'fast-check';
import { type GrantCommand, decideGrants } from './grant.deciding.ts';
import { type Grant, grantsAfter, hasAccess, isLive } from './grant.ts';

const item = { item_type: 'course', item_id: 'course_1' } as const;
const granting = { item, about: { member_id: 'account_1', course_id: 'course_1' } };
const line = 'order_1.1';
const day = (number: number) => new Date(Date.UTC(2026, 0, number)).toISOString();
const source = (times: number) =>
  ({ source_type: 'order_line', source_id: times === 1 ? line : `${line}~${times}` }) as const;
const isOf = (id: string) => id === line || id.startsWith(`${line}~`);

const bought = (times: number, now: string, expires_at: string | null = day(1_000)): GrantCommand => ({
  ...source(times),
  type: 'GrantAccess',
  starts_at: now,
  expires_at,
});
const restored = (times: number, now: string, since: string | null): GrantCommand => ({
  ...source(times),
  type: 'GrantAccess',
  starts_at: now,
  expires_at: day(1_000),
  resumes: { isOf, since },
});
const taken = (times: number): GrantCommand => ({ ...source(times), type: 'RevokeAccess', reason: 'disputed' });

/** The grants after commands, each at its time. */
const after = (...commands: readonly (readonly [now: string, command: GrantCommand])[]): readonly Grant[] =>
  commands.reduce<readonly Grant[]>((grants, [now, command]) => {
    const decision = decideGrants({ ...command, now }, granting, grants);
    if (isRejection(decision)) throw new Error(decision.reason);
    return decision.reduce(grantsAfter, grants);
  }, []);

describe('access that rested', () => {
  test('goes on since when it did, so that lessons stay open, with the time that was left', () => {
    const short = bought(1, day(1), day(31));
    const grants = after([day(1), short], [day(11), taken(1)], [day(16), restored(2, day(16), day(11))]);
    expect(grants.at(-1)).toMatchObject({ source_id: `${line}~2`, starts_at: day(1), expires_at: day(36) });
    const again = after(
      [day(1), short],
      [day(11), taken(1)],
      [day(16), restored(2, day(16), day(11))],
      [day(20), taken(2)],
      [day(22), restored(3, day(22), day(20))],
    );
    expect(again.at(-1)).toMatchObject({ source_id: `${line}~3`, starts_at: day(1), expires_at: day(38) });
  });

  test('for ever stays so, and what was never given begins anew', () => {
    const ever = bought(1, day(1), null);
    expect(after([day(1), ever], [day(2), taken(1)], [day(9), restored(2, day(9), day(2))]).at(-1)).toMatchObject({
      starts_at: day(1),
      expires_at: null,
    });
    const first = after([day(2), taken(1)], [day(9), restored(2, day(9), day(2))]).at(-1);
    expect(first).toMatchObject({ starts_at: day(9), expires_at: day(1_000) });
  });

  test('is that of its own line: another order of the same course goes on as it was', () => {
    const other: GrantCommand = {
      type: 'GrantAccess',
      source_type: 'order_line',
      source_id: 'order_2.1',
      starts_at: day(3),
      expires_at: day(5),
    };
    const grants = after([day(3), other], [day(3), taken(1)], [day(9), restored(2, day(9), day(4))]);
    expect(grants.find(({ source_id }) => source_id === 'order_2.1')).toMatchObject({
      expires_at: day(5),
      revoked: false,
    });
    expect(grants.at(-1)).toMatchObject({ starts_at: day(9) });
  });

  test('is there by what was told, in whatever order and however often (10,000)', () => {
    const histories = fc.integer({ min: 1, max: 5 }).chain((times) =>
      fc.boolean().chain((isBack) => {
        const facts = Array.from({ length: times * 2 - (isBack ? 0 : 1) }, (_, index) => index);
        return fc.record({
          isBack: fc.constant(isBack),
          told: fc
            .tuple(fc.shuffledSubarray(facts, { minLength: facts.length }), fc.array(fc.constantFrom(...facts)))
            .map(([once, more]) => [...once, ...more]),
        });
      }),
    );
    fc.assert(
      fc.property(histories, ({ isBack, told }) => {
        const grants = after(
          ...told.map((fact, index): [string, GrantCommand] => {
            const [times, now] = [Math.floor(fact / 2) + 1, day(index + 1)];
            if (fact % 2 === 1) return [now, taken(times)];
            return [now, times === 1 ? bought(1, now) : restored(times, now, null)];
          }),
        );
        const live = grants.filter((grant) => isLive(grant, day(200))).length;
        return hasAccess({ grants }, day(200)) === !isBack && live === (isBack ? 0 : 1);
      }),
      { numRuns: 10_000 },
    );
  });
});
