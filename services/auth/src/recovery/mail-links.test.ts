import { describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { sealerOf } from '../sealing/sealer.ts';
import { linkTo, openLink } from './mail-links.ts';

const sealer = sealerOf(randomBytes(32));
const school = { id: 'school_1', issuer: 'https://one.test' };
const until = '2026-01-05T08:30:00.000Z';
const now = Date.parse(until) - 1;
const says = { account: 'account_1', emailKey: 'k' };
const url = new URL(linkTo(sealer, school, 'verify', says, until));
const token = url.searchParams.get('token')!;

describe('a link in a mail', () => {
  test('leads to the school by its issuer, tells nothing, and says who may do what', () => {
    expect(url.origin + url.pathname).toBe('https://one.test/oauth/verify-email');
    expect(Buffer.from(token, 'base64url').toString('latin1')).not.toContain('account_1');
    expect(openLink(sealer, school, 'verify', token, now)).toEqual(says);
  });

  test('is good at its school, for its purpose, in its time and whole', () => {
    expect(openLink(sealer, { id: 'school_2' }, 'verify', token, now)).toBeUndefined();
    expect(openLink(sealer, school, 'reset', token, now)).toBeUndefined();
    expect(openLink(sealer, school, 'verify', token, now + 1)).toBeUndefined();
    expect(openLink(sealerOf(randomBytes(32)), school, 'verify', token, now)).toBeUndefined();
    for (const wrong of ['', token.slice(1), `${token.slice(0, -2)}AA`, 'x'.repeat(5_000)])
      expect(openLink(sealer, school, 'verify', wrong, now)).toBeUndefined();
  });
});
