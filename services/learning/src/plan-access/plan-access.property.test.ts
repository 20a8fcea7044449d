import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isLive } from '../grants/grant.ts';
import { type Op, PlanDefinition, items } from './testing/plan-definition.ts';
import { PlanWorld, turns } from './testing/plan-world.ts';

const at = '2026-01-05T08:00:00.000Z';
/** Histories; 10,000 take minutes. */
const runs = Number(process.env['PLAN_RUNS'] ?? 500);
const some = (type: string) => {
  const ids = items.filter(({ item_type }) => item_type === type).map(({ item_id }) => item_id);
  return fc.oneof(fc.constant('all' as const), fc.subarray(ids));
};

const happening: fc.Arbitrary<Op> = fc.record({
  what: fc.constantFrom(
    ...(['grants', 'grants', 'grants', 'start', 'start', 'show', 'show', 'show'] as const),
    ...(['change', 'change', 'pause', 'resume', 'resume', 'cancel', 'lapse', 'hide'] as const),
  ),
  plan: fc.constantFrom(0, 1),
  subscription: fc.constantFrom(0, 1, 2),
  item: fc.nat({ max: 3 }),
  courses: some('course'),
  products: some('digital_product'),
  keep: fc.boolean(),
});

/** What arrives side by side after something happened: how much of each service, and which reactions, the newest being 0. */
const arriving = fc.record({
  commerce: fc.nat({ max: 2 }),
  catalog: fc.nat({ max: 2 }),
  reactions: fc.array(fc.nat({ max: 3 }), { maxLength: 2 }),
  /** How long what is named waits meanwhile. */
  wait: fc.nat({ max: 40 }),
});

type Arriving = typeof arriving extends fc.Arbitrary<infer T> ? T : never;

const history = fc.array(fc.tuple(happening, arriving), { minLength: 3, maxLength: 14, size: 'max' });

/** Something arrives, while reactions that began before may not be over. */
async function arrive(world: PlanWorld, { commerce, catalog, reactions, wait }: Arriving): Promise<void> {
  for (const index of reactions) {
    const event = world.known.at(-1 - index);
    if (event) world.react(event);
  }
  await turns(wait);
  await world.project('commerce', commerce);
  await world.project('catalog', catalog);
}

/** All that is still to come arrives: reactions in the order that is given, some of them once more. */
async function finish(world: PlanWorld, order: readonly number[]): Promise<void> {
  await world.project('commerce');
  await world.project('catalog');
  for (const index of order) {
    const owed = [...world.owed];
    const event = owed.length > 0 ? owed[index % owed.length] : world.known[index % world.known.length];
    if (event) world.react(event);
  }
  for (const event of world.owed) world.react(event);
  await world.rest();
}

const slowness = fc.array(fc.constantFrom(0, 0, 0, 1, 5, 20, 100, 400), { minLength: 1, maxLength: 7 });

test('members have what the definition says, whatever arrives in which order, how often and while what else arrives', async () => {
  let opened = 0;
  await fc.assert(
    fc.asyncProperty(history, fc.array(fc.nat({ max: 20 }), { maxLength: 6 }), slowness, async (steps, order, slow) => {
      const [world, definition] = [new PlanWorld(slow), new PlanDefinition()];
      await world.open();
      const [bought] = items;
      await world.buy('account_1', bought!);
      for (const [op, meanwhile] of steps) {
        const fact = definition.happen(op);
        if (fact) world.publish(fact);
        await arrive(world, meanwhile);
      }
      await finish(world, order);
      for (const member of ['account_1', 'account_2'])
        for (const item of items) {
          const live = (await world.grantsOf(member, item)).filter((grant) => isLive(grant, at));
          const own = live.filter(({ source_type }) => source_type === 'subscription');
          const isBought = member === 'account_1' && item === bought;
          const { has, may, isSure } = definition.expected(member, item);
          expect([member, item, live.length > own.length]).toEqual([member, item, isBought]);
          if (isSure) expect([member, item, own.length > 0]).toEqual([member, item, has]);
          else expect([member, item, own.length === 0 || may]).toEqual([member, item, true]);
          const sources = own.map(({ source_id }) => source_id.replace(/\..*$/, ''));
          expect(new Set(sources).size).toBe(sources.length);
          opened += own.length;
        }
    }),
    { numRuns: runs, endOnFailure: process.env['PLAN_RUNS'] !== undefined },
  );
  expect(opened).toBeGreaterThan(runs / 10);
}, 300_000);
