import { type Landed, Person, call } from '@lyceum/testkit';
import type { GivenCode } from '../authority.ts';
import { type RegisteredClient, authorizationRequest, scope } from '../registered-client.ts';

/** Hydra gives refresh tokens for this scope alone. */
export const hydraScope = `${scope} offline_access`;

/** Where Hydra sends browsers for sign-in and consent. Nothing answers there: what is asked is accepted at the other port. */
export const nobodysPages = 'http://127.0.0.1:9';

/** Gets a code of a person who signs in and agrees, by one browser for each. */
export async function codeOfHydra(origin: string, admin: string, client: RegisteredClient): Promise<GivenCode> {
  const person = new Person();
  const { query, verifier } = authorizationRequest(client, hydraScope);
  const asked = await person.visit(`${origin}/oauth2/auth?${query}`);
  const signedIn = await person.visit(await accepted(admin, 'login', asked, { subject: 'owner', acr: '0' }));
  const consent = { grant_scope: hydraScope.split(' '), session: { id_token: claims } };
  const { left } = await person.visit(await accepted(admin, 'consent', signedIn, consent));
  const code = left?.searchParams.get('code');
  if (!code) throw new Error(`no code of Hydra but ${left?.href}`);
  return { code, verifier };
}

const claims = { name: 'The owner', email: 'owner@school.test', email_verified: true };

/** Accepts a request for sign-in or consent. Resolves to where the browser goes on. */
async function accepted(admin: string, what: 'login' | 'consent', { left, text }: Landed, json: object) {
  const challenge = left?.searchParams.get(`${what}_challenge`);
  if (!challenge) throw new Error(`Hydra asks for no ${what}: ${left?.href ?? text}`);
  const url = `${admin}/admin/oauth2/auth/requests/${what}/accept?${what}_challenge=${encodeURIComponent(challenge)}`;
  const { status, body } = await call(url, { method: 'PUT', json });
  if (status !== 200) throw new Error(`Hydra did not accept the ${what}: ${JSON.stringify(body)}`);
  return body.redirect_to as string;
}
