import { describe, expect, test } from '@jest/globals';
import type { Principal } from '@lyceum/oauth';
import { FakeClock } from '@lyceum/testkit';
import { avatarOf } from './account.avatar.ts';

const principal: Principal = {
  school: 'school_1',
  subject: 'account_1',
  client: 'client_1',
  scopes: new Set(),
  role: 'member',
  grant: 'grant_1',
  jti: 'jti_1',
  issued: 0,
  expires: 0,
  audience: [],
};
const call = { school: 'school_1', issuer: 'https://school.example', principal };

/** Asks with a school service that answers so, and waits a millisecond at most. */
function asking(answer: () => Promise<unknown>) {
  const clock = new FakeClock();
  const lines: string[] = [];
  const logger = { error: (_line: object, message = '') => void lines.push(message) };
  const avatar = avatarOf({ joining: { ask: answer }, logger, clock }, 1);
  return { clock, lines, avatar: () => avatar(call) };
}

describe('the avatar in an account', () => {
  test('is what the school service says, a file by its address', async () => {
    const id = 'upload_00000000-0000-7000-8000-000000000001';
    const { avatar, lines } = asking(async () => ({ avatar: id }));
    expect(await avatar()).toBe(`https://school.example/media/public/${id}`);
    expect(await asking(async () => ({ avatar: null })).avatar()).toBeNull();
    expect(lines).toEqual([]);
  });

  test('is left out while the school service never answers, which is logged once in 10 s', async () => {
    const { avatar, lines, clock } = asking(() => new Promise(() => {}));
    expect(await avatar()).toBeUndefined();
    expect(await avatar()).toBeUndefined();
    expect(lines).toHaveLength(1);
    clock.advance(10_000);
    expect(await avatar()).toBeUndefined();
    expect(lines).toHaveLength(2);
  });

  test('is left out without a line where the school service is of a release that does not know the question', async () => {
    const { avatar, lines } = asking(async () => undefined);
    expect(await avatar()).toBeUndefined();
    expect(lines).toEqual([]);
  });
});
