import { clientAddressHeader, oauthPaths, schoolHeader } from '@lyceum/contracts';
import { Person, call } from '@lyceum/testkit';
import type { Furnished } from './authority.ts';
import { authorizationRequest, registration } from './registered-client.ts';

/** A running system with the demo. */
interface DemoSystem {
  readonly baseUrl: string;
  readonly operatorUrl: string;
  readonly operatorToken: string;
  readonly password: string;
}

/** Clients that register themselves have addresses of their own machine only. */
const redirectUri = 'http://127.0.0.1:53682/callback';

/** A new client of the demo school, and a browser in which the owner is signed in and has agreed. `headers`: of every request. */
export async function signedIn(
  { baseUrl, password }: DemoSystem,
  headers: Readonly<Record<string, string>>,
  idTokenAlg: 'ES256' | 'RS256',
): Promise<Pick<Furnished, 'origin' | 'headers' | 'client' | 'cookies'>> {
  const json = registration(redirectUri, idTokenAlg);
  const { status, body } = await call(`${baseUrl}${oauthPaths.register}`, { json, headers });
  if (status !== 201) throw new Error(`registration answered ${status}: ${JSON.stringify(body)}`);
  const { client_id, client_secret } = body as { client_id: string; client_secret: string };
  const person = new Person(headers);
  const { query } = authorizationRequest({ client_id, redirectUri });
  const signIn = await person.visit(`${baseUrl}${oauthPaths.authorize}?${query}`);
  const consent = await person.submit(signIn, { email: 'owner@lantern.test', password });
  const { left } = await person.submit(consent, { decision: 'approve' });
  if (!left) throw new Error('the sign-in led nowhere');
  return { origin: baseUrl, headers, client: { client_id, client_secret, redirectUri }, cookies: [person.cookie] };
}

/** What a gateway in another process would say. */
export const asGateway = (school: string, serviceToken: string) => ({
  [schoolHeader]: school,
  [clientAddressHeader]: '127.0.0.1',
  'x-service-token': serviceToken,
});

/** The id of the demo school. */
export async function schoolOf({ operatorUrl, operatorToken: token }: DemoSystem): Promise<string> {
  const { body } = await call(`${operatorUrl}/internal/schools`, { token });
  return (body.data as { id: string; slug: string }[]).find(({ slug }) => slug.startsWith('lantern'))!.id;
}
