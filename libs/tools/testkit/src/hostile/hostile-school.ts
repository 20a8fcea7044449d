import { Client } from '../http/client.ts';
import { Person } from '../http/person.ts';
import { Lane, anyAddress } from './lane.ts';

/** Somebody with an account at a school. */
export interface Account {
  readonly email: string;
  readonly password: string;
}

/** What everybody at a hostile school has in hand. */
export interface HostileSchool {
  readonly baseUrl: string;
  /** A client that registered itself. */
  readonly client: Client;
  /** Tokens of its owner, each of another client, so that each has a quota of its own. */
  readonly tokens: readonly string[];
}

const redirectUri = 'http://127.0.0.1:53682/callback';
/** What a client that registers itself says. */
export const metadata = { client_name: 'A client', application_type: 'native', redirect_uris: [redirectUri] };

/** Registers a client from any address, so that no quota is used up. */
export async function registered(baseUrl: string): Promise<Client> {
  const lane = new Lane(0, baseUrl, false);
  const { status, text } = await lane.ask({ method: 'POST', path: '/api/oauth/register', body: metadata });
  if (status !== 201) throw new Error(`registration answered ${status}: ${text}`);
  return Client.known(baseUrl, (JSON.parse(text) as { client_id: string }).client_id, redirectUri);
}

const scope = `openid courses:read courses:write curriculum:read curriculum:write lecturers:read members:read account:read`;
const clients = 12;

/** Signs the owner of a school in to some clients. */
export async function hostileSchool(baseUrl: string, { email, password }: Account): Promise<HostileSchool> {
  const made: Client[] = [];
  const tokens: string[] = [];
  for (let index = 0; index < clients; index += 1) {
    const client = await registered(baseUrl);
    const person = new Person({ 'x-forwarded-for': anyAddress() });
    tokens.push((await client.tokens(email, password, scope, person)).access_token);
    made.push(client);
  }
  return { baseUrl, client: made[0]!, tokens };
}
