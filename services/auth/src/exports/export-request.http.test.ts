import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { linkIn } from '../testing/test-mails.ts';
import { emailOf } from '../testing/test-auth.ts';
import { type TestExports, startExports } from '../testing/test-exports.ts';

const day = 24 * 60 * 60_000;

let on: TestExports;
beforeEach(async () => void (on = await startExports()));
afterEach(() => on.close());

describe('a request for an export', () => {
  test('is answered 202, and a mail with a link that works for seven days is on its way', async () => {
    const token = await on.tokenOf('member');
    const none = { object: 'account_export', status: 'none', requested_at: null, expires_at: null, next_at: null };
    expect((await on.at('GET', token)).body).toMatchObject(none);
    const { status, body, headers } = await on.at('POST', token);
    expect([status, headers.get('location')]).toEqual([202, '/api/account/export']);
    const requested = {
      object: 'account_export',
      status: 'requested',
      requested_at: '2026-01-05T08:00:00.000Z',
      expires_at: '2026-01-12T08:00:00.000Z',
      next_at: '2026-01-06T08:00:00.000Z',
    };
    expect(body).toMatchObject(requested);
    expect((await on.at('GET', token)).body).toMatchObject(requested);
    const [mail, ...more] = await on.letters.sent();
    expect([mail!.to, mail!.subject, more]).toEqual([emailOf('member'), 'Your data at Test School', []]);
    expect(linkIn(mail!)).toMatch(/\/oauth\/export\?token=/);
    on.auth.clock.advance(7 * day);
    expect((await on.at('GET', await on.tokenOf('member'))).body).toMatchObject(none);
  });

  test('is made once a day: sooner it is 429, which says when, and the same key gets the same answer', async () => {
    const token = await on.tokenOf('member');
    const first = await on.at('POST', token, { 'idempotency-key': 'once-1234567890' });
    const again = await on.at('POST', token, { 'idempotency-key': 'once-1234567890' });
    expect([again.status, again.body]).toEqual([202, first.body]);
    on.auth.clock.advance(60_000);
    const soon = await on.at('POST', token);
    expect([soon.status, soon.body.error, soon.headers.get('retry-after')]).toEqual([429, 'rate_limited', '86340']);
    expect(soon.body.error_description).toContain('2026-01-06T08:00:00.000Z');
    expect(await on.letters.sent()).toHaveLength(1);
    const all = await Promise.all(Array.from({ length: 5 }, () => on.at('POST', token)));
    expect(all.map(({ status }) => status)).toEqual([429, 429, 429, 429, 429]);
  });

  test('asked for ten times at once is one, with one mail', async () => {
    const token = await on.tokenOf('owner');
    const all = await Promise.all(Array.from({ length: 10 }, () => on.at('POST', token)));
    expect(all.filter(({ status }) => status === 202)).toHaveLength(1);
    expect(all.every(({ status }) => status === 202 || status === 429)).toBe(true);
    expect(await on.letters.sent()).toHaveLength(1);
  });

  test.each([
    ['GET', 'account:write'],
    ['POST', 'account:read'],
  ])('%s is nobody’s without a token, and not that of a token with %s only', async (method, scope) => {
    const nobody = await on.at(method);
    expect([nobody.status, nobody.body.error]).toEqual([403, 'access_denied']);
    const refused = await on.at(method, await on.tokenOf('member', scope));
    expect([refused.status, refused.body.error]).toEqual([403, 'insufficient_scope']);
    expect((await on.at(method, `${await on.tokenOf('member')}x`)).status).toBe(401);
    expect(await on.letters.sent()).toEqual([]);
  });

  test('is one’s own, and nobody sees that of another', async () => {
    await on.at('POST', await on.tokenOf('member'));
    expect((await on.at('GET', await on.tokenOf('owner'))).body.status).toBe('none');
  });

  test('whose mail cannot be sent is tried again, and sent once', async () => {
    on.letters.mail.failNext(2);
    await on.at('POST', await on.tokenOf('member'));
    expect(await on.letters.sent()).toEqual([]);
    await on.letters.later(5_000);
    expect(await on.letters.sent()).toEqual([]);
    await on.letters.later(15_000);
    await on.letters.later(day);
    expect((await on.letters.sent()).map(({ subject }) => subject)).toEqual(['Your data at Test School']);
  });

  test('that another one has replaced sends no mail any more', async () => {
    on.letters.mail.failNext(1);
    await on.at('POST', await on.tokenOf('member'));
    await on.letters.sent();
    on.auth.clock.advance(day);
    await on.at('POST', await on.tokenOf('member'));
    await on.letters.later(day);
    expect(await on.letters.sent()).toHaveLength(1);
  });
});
