import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Landed, Person, codeOf, post } from '@lyceum/testkit';
import { createHash } from 'node:crypto';
import { withdrawConsent } from '../../domain/consents/consent-registry.ts';
import { type TestAuth, emailOf, password, registerConfidential, startAuth } from '../../testing/test-auth.ts';

let auth: TestAuth;
beforeAll(async () => {
  auth = await startAuth();
});
afterAll(() => auth.close());

const redirect_uri = 'http://127.0.0.1:53682/callback';
const code_verifier = 'v'.repeat(43);
const code_challenge = createHash('sha256').update(code_verifier).digest('base64url');
const right = { email: emailOf('owner'), password };
const isConsent = (page: Landed) => page.text.includes('name="decision"');

/** A confidential client that a person has just allowed what `scope` names. */
async function agreed(scope: string, { ticked, more = {} }: { ticked?: string[]; more?: Record<string, string> } = {}) {
  const credentials = await registerConfidential(auth.school);
  const person = new Person();
  const ask = (asked: string, others: Record<string, string> = {}, by = person) => {
    const query = { response_type: 'code', client_id: credentials.client_id, redirect_uri, scope: asked };
    const proof = { code_challenge, code_challenge_method: 'S256', state: 's' };
    return by.visit(`${auth.school.url}/oauth/authorize?${new URLSearchParams({ ...query, ...proof, ...others })}`);
  };
  const consent = await person.submit(await ask(scope, more), right);
  const back = await person.submit(consent, { decision: 'approve', ...(ticked ? { scope: ticked } : {}) });
  const redeem = (landed: Landed) =>
    post(`${auth.school.url}/api/oauth/token`, {
      grant_type: 'authorization_code',
      code: codeOf(landed),
      redirect_uri,
      code_verifier,
      ...credentials,
    });
  return { ask, person, redeem, back, credentials };
}

describe('the consent to a confidential client', () => {
  test('OIDC Core §3.1.2.4: is remembered, also under prompt=none, for no more than was agreed to', async () => {
    const { ask, redeem } = await agreed('openid courses:read courses:write');
    const { body } = await redeem(await ask('openid courses:read'));
    expect(body.scope).toBe('openid courses:read');
    expect((await redeem(await ask('openid', { prompt: 'none' }))).status).toBe(200);
    expect(isConsent(await ask('openid orders:read'))).toBe(true);
    const refused = await ask('openid orders:read', { prompt: 'none' });
    expect(refused.left?.searchParams.get('error')).toBe('consent_required');
  });

  test('OIDC Core §3.1.2.1: prompt=consent asks all the same', async () => {
    const { ask } = await agreed('openid');
    expect(isConsent(await ask('openid', { prompt: 'consent' }))).toBe(true);
  });

  test('OIDC Core §3.1.2.4: what was not ticked is asked for again', async () => {
    const { ask, redeem } = await agreed('openid courses:read courses:write', { ticked: ['openid', 'courses:read'] });
    expect(isConsent(await ask('openid courses:write'))).toBe(true);
    expect((await redeem(await ask('openid courses:read'))).body.scope).toBe('openid courses:read');
  });

  test('RFC 8707 §2: holds for its resource only', async () => {
    const resource = `${auth.school.url}/api`;
    const { ask } = await agreed('openid', { more: { resource } });
    expect(isConsent(await ask('openid', { resource }))).toBe(false);
    expect(isConsent(await ask('openid', { resource: `${auth.school.url}/mcp` }))).toBe(true);
    expect(isConsent(await ask('openid'))).toBe(true);
  });

  test('OIDC Core §3.1.2.4: is the consent of one person', async () => {
    const { ask } = await agreed('openid');
    const other = new Person();
    const page = await ask('openid', {}, other);
    expect(isConsent(await other.submit(page, { email: emailOf('member'), password }))).toBe(true);
  });

  test('RFC 6749 §10.2: ends when a client that registered itself takes another name or another address', async () => {
    const { ask, person, credentials } = await agreed('openid');
    const rename = async (json: object) => {
      auth.clock.advance(1_000);
      const { client_id, client_secret, registration_access_token: token } = credentials;
      const answer = await fetch(`${auth.school.url}/api/oauth/register/${client_id}`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify({
          client_id,
          client_secret,
          token_endpoint_auth_method: 'client_secret_post',
          redirect_uris: [redirect_uri],
          ...json,
        }),
      });
      expect(answer.status).toBe(200);
      auth.clock.advance(1_000);
    };
    for (const other of [
      { client_name: 'Your bank' },
      { client_name: 'Your bank', redirect_uris: [redirect_uri, `${redirect_uri}2`] },
    ]) {
      await rename(other);
      const page = await ask('openid');
      expect(isConsent(page)).toBe(true);
      await person.submit(page, { decision: 'approve' });
      await rename({ ...other, redirect_uris: [redirect_uri] });
      expect(isConsent(await ask('openid'))).toBe(false);
    }
  });

  test('ends when it is withdrawn, and after 90 days', async () => {
    const { ask, person, credentials } = await agreed('openid');
    const account = await accountOf(credentials.client_id);
    await withdrawConsent(auth.ports, { school: auth.school.id, account, client: credentials.client_id });
    const page = await ask('openid');
    expect(isConsent(page)).toBe(true);
    await person.submit(page, { decision: 'approve' });
    expect(isConsent(await ask('openid'))).toBe(false);
    auth.clock.advance(90 * 86_400_000);
    expect(isConsent(await person.submit(await ask('openid'), right))).toBe(true);
  });
});

/** Who agreed to something for the client. */
async function accountOf(client: string): Promise<string> {
  const commits = await auth.ports.log.readLane(auth.ports.log.laneOf(auth.school.id), 0, 10_000);
  const events = commits.flatMap((commit) => commit.events);
  const found = events.find(
    ({ type, data }) => type === 'ConsentRemembered' && (data as { client: string }).client === client,
  );
  return (found!.data as { account: string }).account;
}
