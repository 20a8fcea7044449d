import { describe, expect, test } from '@jest/globals';
import { isRejection } from '@lyceum/kernel';
import fc from 'fast-check';
import { type PublicationCommand, type PublicationStep, decidePublication } from './publication.ts';
import {
  type Publication,
  drafted,
  keptRevisions,
  publicContent,
  published,
  redrafted,
  scheduled,
  unscheduled,
  withdrawn,
} from './publication.state.ts';

type State = Publication<string>;

const timeOf = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();

function after(state: State, step: PublicationStep, at: string): State {
  switch (step.do) {
    case 'publish':
      return published<string, State>(state, step, at);
    case 'schedule':
      return scheduled(state, step.scheduled_for);
    case 'unschedule':
      return unscheduled(state);
    case 'unpublish':
      return withdrawn(state, 'unpublished');
    case 'archive':
      return withdrawn(state, 'archived');
  }
}

const minutes = fc.integer({ min: 0, max: 20 });

/** What may be asked at a minute: a command, or another draft. */
type Wish = { readonly draft: string } | ((now: string) => PublicationCommand);

const asked: fc.Arbitrary<Wish> = fc.oneof(
  fc.constantFrom('a', 'b', 'c').map((draft) => ({ draft })),
  fc.constant<Wish>(() => ({ type: 'PublishDraft' })),
  fc.constant<Wish>((now) => ({ type: 'PublishScheduled', now })),
  fc.constant<Wish>(() => ({ type: 'CancelSchedule' })),
  fc.constant<Wish>(() => ({ type: 'Unpublish' })),
  minutes.map((minute): Wish => (now) => ({ type: 'SchedulePublication', at: timeOf(minute), now })),
  fc.integer({ min: 1, max: 30 }).map((to): Wish => () => ({ type: 'RollBack', to })),
);

/** The states that a history of wishes leads to, each with the wish before it. */
function* histories(wishes: readonly (readonly [number, Wish])[]) {
  let state: State = drafted('a');
  for (const [minute, wish] of wishes) {
    const before = state;
    const now = timeOf(minute);
    const command = typeof wish === 'function' ? wish(now) : undefined;
    if ('draft' in wish) state = redrafted<string, State>(state, wish.draft);
    const steps = command ? decidePublication(command, state) : [];
    if (!isRejection(steps)) for (const step of steps) state = after(state, step, now);
    yield { before, state, command, now };
  }
}

describe('something that is published', () => {
  test('whatever is asked of it: has dense revisions, twenty at most, waits only where it may, and shows what was published', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(minutes, asked), { maxLength: 80 }), (wishes) => {
        for (const { before, state, command, now } of histories(wishes)) {
          const numbers = state.revisions.map(({ revision }) => revision);
          expect(numbers).toEqual(numbers.map((_, index) => numbers[0]! - index));
          expect(numbers.length).toBeLessThanOrEqual(keptRevisions);
          expect(publicContent(state) !== undefined).toBe(state.status === 'published');
          expect(state.status === 'scheduled' && state.scheduled_for === null).toBe(false);
          if (['draft', 'unpublished'].includes(state.status)) expect(state.scheduled_for).toBeNull();
          // Nothing that is only written shows.
          if (!command) expect(publicContent(state)).toBe(publicContent(before));
          if (command?.type === 'PublishScheduled' && state !== before) expect(before.scheduled_for! <= now).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('that is asked the same again at once is as it is', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(minutes, asked), { minLength: 1, maxLength: 40 }), (wishes) => {
        const last = wishes.at(-1)!;
        const [once, twice] = [wishes, [...wishes, last]].map((all) => [...histories(all)].at(-1)!.state);
        expect(twice).toEqual(once);
      }),
      { numRuns: 500 },
    );
  });
});
