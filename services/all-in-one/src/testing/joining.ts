import { Client, Person, type Place, call } from '@lyceum/testkit';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** A member of a demo school who joined by an invitation. */
interface Joined {
  readonly id: string;
  readonly email: string;
  readonly client: Client;
  /** An access token for the own account. */
  readonly token: string;
  /** Whether they may still sign in. */
  signsIn(): Promise<boolean>;
  /** What the school knows of them now. `at`: where operators ask, which may be elsewhere after a start. */
  known(
    at: Pick<Place, 'operatorUrl' | 'operatorToken'>,
  ): Promise<{ readonly status: string; readonly name: string | null; readonly email: string | null }>;
}

/** What joins whom to what, unless it is said. */
interface Joining {
  readonly slug?: string;
  readonly baseUrl?: string;
  readonly password?: string;
  readonly role?: string;
}

const operate = async (
  { operatorUrl, operatorToken: token }: Pick<Place, 'operatorUrl' | 'operatorToken'>,
  path: string,
  json?: object,
) => (await call(`${operatorUrl}${path}`, { token, ...(json ? { json } : {}) })).body;

/** Lets somebody join by an invitation, as people do: the first demo school, unless another is named. */
export async function joinByInvitation(
  system: Pick<Place, 'baseUrl' | 'operatorUrl' | 'operatorToken'>,
  email: string,
  {
    slug: wanted = 'lantern-craft',
    baseUrl = system.baseUrl,
    password = 'seven kites above the harbour',
    role = 'member',
  }: Joining = {},
): Promise<Joined> {
  const schools = (await operate(system, '/internal/schools')).data as { id: string; slug: string }[];
  const school = schools.find(({ slug }) => slug === wanted)!.id;
  const { id, invitation_url } = await operate(system, '/internal/members', { school, email, role });
  const person = new Person();
  const joined = await person.submit(await person.visit(invitation_url), { name: 'Zoe', password });
  if (joined.status !== 200) throw new Error(`nobody joined: ${joined.status}`);
  const client = await Client.register(baseUrl);
  const { access_token: token } = await client.tokens(email, password, 'openid account:read account:write');
  return {
    id,
    email,
    client,
    token,
    signsIn: () =>
      client.tokens(email, password, 'openid').then(
        () => true,
        () => false,
      ),
    async known(at) {
      const all: { id: string }[] = [];
      for (const status of ['active', 'erased'])
        all.push(...(await operate(at, `/internal/members?school=${school}&status=${status}&limit=100`)).data);
      return all.find((each) => each.id === id) as never;
    },
  };
}

/** The subjects of the mails about an erasure that somebody was sent, sorted. */
export async function mailsOfErasure(dataDir: string, email: string): Promise<readonly string[]> {
  const outbox = join(dataDir, 'outbox');
  const mails = await Promise.all((await readdir(outbox)).map((file) => readFile(join(outbox, file), 'utf8')));
  return mails
    .filter((mail) => mail.includes(email))
    .flatMap((mail) => /^Subject: (.*erased.*)$/m.exec(mail)?.[1]?.trim() ?? [])
    .toSorted();
}

/** All that somebody is told who leaves. */
export const mailsOfLeaving = [
  'Your account at Lantern Craft School is erased',
  'Your account at Lantern Craft School will be erased',
];
