import { describe, expect, test } from '@jest/globals';
import { given } from '@lyceum/testkit';
import type { SessionEvent } from './session.events.ts';
import { isLive, sessionDecider } from './session.ts';

const started: SessionEvent = {
  type: 'SessionStarted',
  data: {
    sid: 'session_1',
    account: 'account_1',
    auth_time: 1_767_600_000,
    since: 1_767_600_000_750,
    amr: ['pwd'],
    expires: 1_767_600_000 + 14 * 86_400,
  },
};
const start = { type: 'StartSession', sid: 'session_1', account: 'account_1', since: 1_767_600_000_750 } as const;

describe('a session', () => {
  test('starts once and lives 14 days', () => {
    given(sessionDecider).when(start).then(started);
    given(sessionDecider, started).when(start).rejected('invalid_state');
    const { state } = given(sessionDecider, started);
    expect([isLive(state, 1_767_600_000), isLive(state, 1_767_600_000 + 14 * 86_400)]).toEqual([true, false]);
  });

  test('remembers its last use to the hour, so that pages read in a row write nothing', () => {
    const begin = start.since;
    given(sessionDecider, started)
      .when({ type: 'UseSession', now: begin + 3_599_999 })
      .unchanged();
    given(sessionDecider, started)
      .when({ type: 'UseSession', now: begin + 3_600_000 })
      .then({ type: 'SessionUsed', data: {} });
    given(sessionDecider).when({ type: 'UseSession', now: begin }).unchanged();
    const ended: SessionEvent = { type: 'SessionEnded', data: { reason: 'signed_out' } };
    given(sessionDecider, started, ended)
      .when({ type: 'UseSession', now: begin + 3_600_000 })
      .unchanged();
  });

  test('keeps what a person can tell the browser by', () => {
    const from = { browser: 'Firefox', system: 'Linux', address: '192.0.2.1' };
    given(sessionDecider)
      .when({ ...start, from })
      .then({ type: 'SessionStarted', data: { ...started.data, ...from } as never });
  });

  test('remembers each client that is to be told of the sign-out, and names them when it ends; being replaced is none', () => {
    const shared = (client: string): SessionEvent => ({ type: 'SessionShared', data: { client } });
    const told = { sid: 'session_1', account: 'account_1', clients: ['client_1', 'client_2'] };
    const past = [started, shared('client_1'), shared('client_2')] as const;
    given(sessionDecider, started).when({ type: 'ShareSession', client: 'client_1' }).then(shared('client_1'));
    given(sessionDecider, ...past)
      .when({ type: 'ShareSession', client: 'client_1' })
      .unchanged();
    given(sessionDecider).when({ type: 'ShareSession', client: 'client_1' }).unchanged();
    given(sessionDecider, ...past)
      .when({ type: 'EndSession', reason: 'signed_out' })
      .then({ type: 'SessionEnded', data: { reason: 'signed_out', told } });
    given(sessionDecider, ...past)
      .when({ type: 'EndSession', reason: 'replaced' })
      .then({ type: 'SessionEnded', data: { reason: 'replaced' } });
  });

  test('ends once, and then is not live', () => {
    const ended: SessionEvent = { type: 'SessionEnded', data: { reason: 'replaced' } };
    given(sessionDecider, started).when({ type: 'EndSession', reason: 'replaced' }).then(ended);
    given(sessionDecider, started, ended).when({ type: 'EndSession', reason: 'signed_out' }).unchanged();
    given(sessionDecider).when({ type: 'EndSession', reason: 'signed_out' }).unchanged();
    expect(isLive(given(sessionDecider, started, ended).state, 1_767_600_001)).toBe(false);
  });
});
