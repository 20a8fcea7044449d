import { describe, test } from '@jest/globals';
import { given } from '@lyceum/testkit';
import type { RecoveryEvent } from './recovery.events.ts';
import { recoveryDecider } from './recovery.ts';

describe('asking for a link', () => {
  test('leads to one mail a minute at most, and is never refused', () => {
    const asked: RecoveryEvent = { type: 'ResetAsked', data: { language: 'en' } };
    const ask = (now: number) => ({ type: 'AskReset', now, language: 'en' }) as const;
    given(recoveryDecider).when(ask(0)).then(asked);
    const { state } = given(recoveryDecider, asked);
    given(recoveryDecider, asked)
      .when(ask(state!.asked + 59_999))
      .unchanged();
    given(recoveryDecider, asked)
      .when(ask(state!.asked + 60_000))
      .then(asked);
  });
});
