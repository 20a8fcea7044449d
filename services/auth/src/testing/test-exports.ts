import type { Role } from '@lyceum/contracts';
import { type PersonalDataQuestion, answerPersonalData } from '@lyceum/service';
import { Client, Person, call, unzip } from '@lyceum/testkit';
import { findOpenByEmail } from '../domain/accounts/account-registry.ts';
import { authSlices } from '../slices.ts';
import { type TestAuth, emailOf, password, startAuth } from './test-auth.ts';
import { type TestMails, linkIn, startMails } from './test-mails.ts';

/** Answers what a service keeps about a person. */
export type Telling = (question: PersonalDataQuestion) => Promise<unknown>;

/** The service with its mails, and other services that keep nothing. */
export interface TestExports {
  readonly auth: TestAuth;
  readonly letters: TestMails;
  readonly client: Client;
  /** Who answers in place of a service that keeps nothing, by its name. */
  readonly answers: Map<string, Telling>;
  /** A token of the person with a role. */
  tokenOf(role: Role, scope?: string): Promise<string>;
  /** Asks for an export, or about it. */
  at(method: string, token?: string, headers?: Record<string, string>): ReturnType<typeof call>;
  /** Asks for an export, and gives the link of the mail. */
  linkOf(role: Role): Promise<string>;
  /** Opens a link and presses the button. Rejects when what comes breaks off. */
  download(link: string): Promise<Response>;
  idOf(role: Role): Promise<string>;
  close(): Promise<void>;
}

/** The files of an answer. */
export const filesIn = async (answer: Response) => unzip(Buffer.from(await answer.arrayBuffer()));

/** Starts it. */
export async function startExports(): Promise<TestExports> {
  const auth = await startAuth();
  const letters = await startMails(auth);
  const client = await Client.register(auth.school.url);
  const answers = new Map<string, Telling>();
  const own = authSlices.flatMap(({ personalData = [] }) => personalData);
  const ask = async (service: string, question: Readonly<Record<string, unknown>>) => {
    const answer = answers.get(service);
    if (answer) return answer(question as unknown as PersonalDataQuestion);
    if (service === 'auth') return answerPersonalData(own, question, auth.ports as never);
    return { file: null, records: [], next: null };
  };
  auth.restart({ ask });
  const tokenOf: TestExports['tokenOf'] = async (role, scope = 'openid account:read account:write') => {
    const { access_token } = await client.tokens(emailOf(role), password, scope);
    await auth.settled();
    return access_token;
  };
  const at: TestExports['at'] = (method, token, headers = {}) =>
    call(`${auth.school.url}/api/account/export`, { method, headers, ...(token === undefined ? {} : { token }) });
  return {
    auth,
    letters,
    client,
    answers,
    tokenOf,
    at,
    async linkOf(role) {
      const asked = await at('POST', await tokenOf(role));
      if (asked.status !== 202) throw new Error(`not asked for: ${asked.status}`);
      return linkIn((await letters.sent()).filter(({ to }) => to === emailOf(role)).at(-1)!);
    },
    async download(link) {
      const person = new Person();
      return person.download(await person.visit(link), { decision: 'yes' });
    },
    idOf: async (role) => (await findOpenByEmail(auth.ports, auth.school.id, emailOf(role)))!.id,
    async close() {
      await letters.close();
      await auth.close();
    },
  };
}
