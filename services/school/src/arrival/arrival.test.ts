import { describe, test } from '@jest/globals';
import { given } from '@lyceum/testkit';
import type { ArrivalEvent } from './arrival.events.ts';
import { arrival } from './arrival.ts';

const arriving: ArrivalEvent = { type: 'SchoolArriving', data: { departure: 'departure_1' } };
const arrived: ArrivalEvent = { type: 'SchoolArrived', data: {} };
const begin = { kind: 'begin', departure: 'departure_1' } as const;
const complete = { kind: 'complete' } as const;

describe('an arrival', () => {
  test('begins once, and goes on with the same departure', () => {
    given(arrival).when(begin).then(arriving);
    given(arrival, arriving).when(begin).then();
    given(arrival, arriving)
      .when({ ...begin, departure: 'departure_2' })
      .rejected('invalid_state');
  });

  test('is complete for ever', () => {
    given(arrival, arriving).when(complete).then(arrived);
    given(arrival, arriving, arrived).when(complete).then();
    given(arrival, arriving, arrived).when(begin).rejected('invalid_state');
    given(arrival).when(complete).then();
  });
});
