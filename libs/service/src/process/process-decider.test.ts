import { describe, test } from '@jest/globals';
import { type DomainEvent, reject } from '@lyceum/kernel';
import { given } from '@lyceum/testkit';
import { type ProcessCommand, processDecider } from './process-decider.ts';
import type { ProcessManager } from './process.ts';

const now = '2026-01-05T09:00:00.000Z';

/** Notes each timer that fires. */
const clockwork: ProcessManager<null, DomainEvent, never> = {
  name: 'clockwork',
  events: { Noted: { version: 1, data: { parse: (value) => value } } },
  initial: null,
  evolve: (state) => state,
  correlate: () => undefined,
  react: (input) => (input.kind === 'timer' ? { events: [{ type: 'Noted', data: input.timer }] } : {}),
  carryOut: async () => reject('never', 'nothing is asked for'),
};
const decider = processDecider(clockwork);

const set = (due: string): DomainEvent => ({ type: 'TimerSet', data: { timer: 'bell', due } });
const [canceled, fired] = ['TimerCanceled', 'TimerFired'].map((type) => ({ type, data: { timer: 'bell' } }));
const fire = (version: number): ProcessCommand => ({ do: 'fire', timer: 'bell', version, now });

describe('a timer that an index says is due', () => {
  test('fires, and the process hears of it', () => {
    given(decider, set(now)).when(fire(1)).then(fired!, { type: 'Noted', data: 'bell' });
  });

  test('does nothing when it was canceled meanwhile', () => {
    given(decider, set(now), canceled!).when(fire(1)).unchanged();
  });

  test('does nothing when it has fired', () => {
    given(decider, set(now), fired!).when(fire(1)).unchanged();
  });

  test('does nothing when it was set to another time meanwhile; then that one counts', () => {
    const moved = given(decider, set(now), set('2026-01-05T10:00:00.000Z'));
    moved.when(fire(1)).unchanged();
    moved.when(fire(2)).then(fired!, { type: 'Noted', data: 'bell' });
  });
});
