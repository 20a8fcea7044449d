import { describe, test } from '@jest/globals';
import { given } from '@lyceum/testkit';
import type { LifecycleEvent } from './lifecycle.events.ts';
import { lifecycleDecider } from './lifecycle.ts';

const suspended: LifecycleEvent = { type: 'SchoolSuspended', data: { reason: 'Unpaid' } };
const resumed: LifecycleEvent = { type: 'SchoolResumed', data: {} };
const closed: LifecycleEvent = { type: 'SchoolClosed', data: { by: 'account_1' } };
const suspend = { type: 'SuspendSchool', reason: 'Unpaid' } as const;
const resume = { type: 'ResumeSchool' } as const;
const close = { type: 'CloseSchool', by: 'account_1' } as const;

describe('whether a school is open', () => {
  test('it is suspended, once, and resumed, once, and suspended again', () => {
    given(lifecycleDecider).when(suspend).then(suspended);
    given(lifecycleDecider, suspended).when(suspend).unchanged();
    given(lifecycleDecider, suspended).when(resume).then(resumed);
    given(lifecycleDecider).when(resume).unchanged();
    given(lifecycleDecider, suspended, resumed).when(resume).unchanged();
    given(lifecycleDecider, suspended, resumed).when(suspend).then(suspended);
  });

  test('it is closed for ever, open or suspended', () => {
    given(lifecycleDecider).when(close).then(closed);
    given(lifecycleDecider, suspended).when(close).then(closed);
    given(lifecycleDecider, closed).when(close).unchanged();
    given(lifecycleDecider, closed).when(resume).rejected('invalid_state');
    given(lifecycleDecider, closed).when(suspend).rejected('invalid_state');
  });
});
