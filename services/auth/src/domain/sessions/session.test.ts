import { describe, expect, test } from '@jest/globals';
import { given } from '@lyceum/testkit';
import type { SessionEvent } from './session.events.ts';
import { isLive, session } from './session.ts';

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
const start = { type: 'start', sid: 'session_1', account: 'account_1', since: 1_767_600_000_750 } as const;

describe('a session', () => {
  test('starts once and lives 14 days', () => {
    given(session).when(start).then(started);
    given(session, started).when(start).rejected('invalid_state');
    const { state } = given(session, started);
    expect([isLive(state, 1_767_600_000), isLive(state, 1_767_600_000 + 14 * 86_400)]).toEqual([true, false]);
  });

  test('remembers its last use to the hour, so that pages read in a row write nothing', () => {
    const begin = start.since;
    given(session, started)
      .when({ type: 'use', now: begin + 3_599_999 })
      .unchanged();
    given(session, started)
      .when({ type: 'use', now: begin + 3_600_000 })
      .then({ type: 'SessionUsed', data: {} });
    given(session).when({ type: 'use', now: begin }).unchanged();
    const ended: SessionEvent = { type: 'SessionEnded', data: { reason: 'signed_out' } };
    given(session, started, ended)
      .when({ type: 'use', now: begin + 3_600_000 })
      .unchanged();
  });

  test('keeps what a person can tell the browser by', () => {
    const from = { browser: 'Firefox', system: 'Linux', address: '192.0.2.1' };
    given(session)
      .when({ ...start, from })
      .then({ type: 'SessionStarted', data: { ...started.data, ...from } as never });
  });

  test('remembers each client that is to be told of the sign-out, and names them when it ends; being replaced is none', () => {
    const shared = (client: string): SessionEvent => ({ type: 'SessionShared', data: { client } });
    const told = { sid: 'session_1', account: 'account_1', clients: ['client_1', 'client_2'] };
    const past = [started, shared('client_1'), shared('client_2')] as const;
    given(session, started).when({ type: 'share', client: 'client_1' }).then(shared('client_1'));
    given(session, ...past)
      .when({ type: 'share', client: 'client_1' })
      .unchanged();
    given(session).when({ type: 'share', client: 'client_1' }).unchanged();
    given(session, ...past)
      .when({ type: 'end', reason: 'signed_out' })
      .then({ type: 'SessionEnded', data: { reason: 'signed_out', told } });
    given(session, ...past)
      .when({ type: 'end', reason: 'replaced' })
      .then({ type: 'SessionEnded', data: { reason: 'replaced' } });
  });

  test('ends once, and then is not live', () => {
    const ended: SessionEvent = { type: 'SessionEnded', data: { reason: 'replaced' } };
    given(session, started).when({ type: 'end', reason: 'replaced' }).then(ended);
    given(session, started, ended).when({ type: 'end', reason: 'signed_out' }).unchanged();
    given(session).when({ type: 'end', reason: 'signed_out' }).unchanged();
    expect(isLive(given(session, started, ended).state, 1_767_600_001)).toBe(false);
  });
});
