import { type Answer, type Client, type Person, approve, codeOf } from '@lyceum/testkit';

/** What was ever answered with tokens, by what was presented for them. */
export class TokenAnswers {
  readonly #given = new Map<string, { readonly refresh: Set<string>; readonly jti: Set<string>; count: number }>();

  note(presented: string, { access_token, refresh_token }: { access_token: string; refresh_token: string }): void {
    const given = this.#given.get(presented) ?? { refresh: new Set(), jti: new Set(), count: 0 };
    this.#given.set(presented, given);
    given.refresh.add(refresh_token);
    given.jti.add(jtiOf(access_token));
    given.count += 1;
  }

  /** How many secrets were answered with tokens at all. */
  get size(): number {
    return this.#given.size;
  }

  /** Secrets that were answered with two refresh tokens, or with two access tokens. */
  forked(): readonly string[] {
    return [...this.#given].flatMap(([presented, { refresh, jti }]) =>
      refresh.size > 1 || jti.size > 1 ? [presented] : [],
    );
  }

  /** How often a secret was answered with tokens. */
  count = (presented: string): number => this.#given.get(presented)?.count ?? 0;
}

const jtiOf = (token: string): string =>
  (JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as { jti: string }).jti;

/** A client that refreshes as fast as it can and sends each token twice at once, as two tabs would. */
export class Refresher {
  token: string;
  readonly #client: Client;
  readonly #answers: TokenAnswers;

  constructor(client: Client, token: string, answers: TokenAnswers) {
    this.#client = client;
    this.token = token;
    this.#answers = answers;
  }

  /** Goes on until nobody answers. Returns every answer that was neither tokens nor none. */
  async untilDeath(): Promise<readonly string[]> {
    for (;;) {
      const presented = this.token;
      const answers = await Promise.all([1, 2].map(() => this.#present(presented)));
      const odd = answers.flatMap((answer) => (answer && answer.status !== 200 ? [described(answer)] : []));
      if (odd.length > 0) return odd;
      if (answers.some((answer) => !answer)) return [];
    }
  }

  /** Presents what it holds once more, after a restart. Returns what was answered instead of tokens. */
  async again(): Promise<readonly string[]> {
    const answer = await this.#present(this.token);
    return answer?.status === 200 ? [] : [answer ? described(answer) : 'no answer'];
  }

  async #present(presented: string): Promise<Answer | undefined> {
    const answer = await this.#client.refresh(presented).catch(() => undefined);
    if (answer?.status !== 200) return answer;
    this.#answers.note(presented, answer.body);
    this.token = answer.body.refresh_token as string;
    return answer;
  }
}

const described = ({ status, body }: Answer): string => `${status} ${body.error}`;

/** A code and what redeems it. */
export interface Waiting {
  readonly code: string;
  readonly verifier: string;
}

/** Codes that a person has approved. */
export async function approvedCodes(
  client: Client,
  person: Person,
  password: string,
  count: number,
): Promise<Waiting[]> {
  const waiting: Waiting[] = [];
  for (let made = 0; made < count; made += 1) {
    const { url, verifier } = client.start('openid courses:read');
    waiting.push({ code: codeOf(await approve(person, url, 'owner@lantern.test', password)), verifier });
  }
  return waiting;
}

/** Redeems a code; undefined when nobody answers. */
export async function redeemed(
  client: Client,
  { code, verifier }: Waiting,
  answers: TokenAnswers,
): Promise<Answer | undefined> {
  const answer = await client.redeem(code, verifier).catch(() => undefined);
  if (answer?.status === 200) answers.note(code, answer.body);
  return answer;
}
