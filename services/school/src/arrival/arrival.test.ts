import { describe, test } from '@jest/globals';
import { given } from '@lyceum/testkit';
import type { ArrivalEvent } from './arrival.events.ts';
import { arrivalDecider } from './arrival.ts';

const arriving: ArrivalEvent = { type: 'SchoolArriving', data: { departure: 'departure_1' } };
const arrived: ArrivalEvent = { type: 'SchoolArrived', data: {} };
const begin = { type: 'BeginArrival', departure: 'departure_1' } as const;
const complete = { type: 'CompleteArrival' } as const;

describe('an arrival', () => {
  test('begins once, and goes on with the same departure', () => {
    given(arrivalDecider).when(begin).then(arriving);
    given(arrivalDecider, arriving).when(begin).then();
    given(arrivalDecider, arriving)
      .when({ ...begin, departure: 'departure_2' })
      .rejected('invalid_state');
  });

  test('is complete for ever', () => {
    given(arrivalDecider, arriving).when(complete).then(arrived);
    given(arrivalDecider, arriving, arrived).when(complete).then();
    given(arrivalDecider, arriving, arrived).when(begin).rejected('invalid_state');
    given(arrivalDecider).when(complete).then();
  });
});
