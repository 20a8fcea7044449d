import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, type Tokens, codeOf } from '../http/client.ts';
import { Person } from '../http/person.ts';
import { type Account, registered } from './hostile-school.ts';
import { type Asked, Lane, anyAddress } from './lane.ts';

/** What came of what honest people asked. */
export interface Honest {
  /** Milliseconds of each answer, by what was asked. */
  readonly latencies: ReadonlyMap<string, readonly number[]>;
  /** Every answer that was not as it should be. */
  readonly wrong: readonly string[];
}

/** One thing that people do, so often in a second. */
interface Habit {
  readonly name: string;
  readonly perSecond: number;
  /** Does it, and gives what was measured of it by name. Throws when an answer is not as it should be. */
  readonly act: (measure: Measure) => Promise<void>;
}
type Measure = <T>(name: string, work: () => Promise<T>) => Promise<T>;

const scope = 'openid offline_access courses:read courses:write';

/** People of a school who ask for something now and then, each on a new connection from an address of their own. */
export class HonestLoad {
  readonly #lane: Lane;
  readonly #client: Client;
  readonly #account: Account;
  readonly #tokens: Tokens[];
  readonly #refreshing = new Set<number>();

  private constructor(baseUrl: string, client: Client, account: Account, tokens: Tokens[]) {
    this.#lane = new Lane(0, baseUrl, false);
    this.#client = client;
    this.#account = account;
    this.#tokens = tokens;
  }

  static async prepare(baseUrl: string, account: Account): Promise<HonestLoad> {
    const client = await registered(baseUrl);
    const tokens: Tokens[] = [];
    for (let made = 0; made < 8; made += 1)
      tokens.push(await client.tokens(account.email, account.password, scope, someone()));
    return new HonestLoad(baseUrl, client, account, tokens);
  }

  /** Asks for so many seconds; everything begins when it is due, however long what came before it takes. */
  async run(seconds: number): Promise<Honest> {
    const latencies = new Map<string, number[]>();
    const wrong: string[] = [];
    const measure: Measure = async (name, work) => {
      const began = performance.now();
      const done = await work();
      const taken = latencies.get(name) ?? [];
      latencies.set(name, taken);
      taken.push(performance.now() - began);
      return done;
    };
    const along = async ({ name, perSecond, act }: Habit): Promise<void> => {
      // They do not all begin at the same moment.
      const began = performance.now() + (Math.random() * 1_000) / perSecond;
      const under: Promise<void>[] = [];
      for (let done = 0; done < seconds * perSecond; done += 1) {
        await sleep(Math.max(0, began + (done * 1_000) / perSecond - performance.now()));
        under.push(act(measure).catch((error: unknown) => void wrong.push(`${name}: ${String(error)}`)));
      }
      await Promise.all(under);
    };
    await Promise.all(this.#habits().map(along));
    return { latencies, wrong };
  }

  #habits(): readonly Habit[] {
    const get_school = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_school', arguments: {} } };
    const accept = 'application/json, text/event-stream';
    const token = () => this.#tokens[Math.floor(Math.random() * this.#tokens.length)]!.access_token;
    return [
      {
        name: 'GET course',
        perSecond: 15,
        act: async (measure) => {
          await measure('GET course', () => this.#ask({ path: '/api/courses/foundations' }, 200));
        },
      },
      {
        name: 'MCP get_school',
        perSecond: 10,
        act: async (measure) => {
          const asked = { method: 'POST', path: '/mcp', headers: { accept }, body: get_school };
          const text = await measure('MCP get_school', () => this.#ask(asked, 200));
          if (!text.includes('Lantern')) throw new Error(`no school in ${text.slice(0, 300)}`);
        },
      },
      { name: 'sign-in and code exchange', perSecond: 3, act: (measure) => this.#signIn(measure) },
      ...this.#tokens.map((_, index) => ({
        name: 'refresh',
        perSecond: 0.5,
        act: (measure: Measure) => this.#refresh(index, measure),
      })),
      {
        name: 'write',
        perSecond: 4,
        act: async (measure) => {
          const authorization = `Bearer ${token()}`;
          const headers = { authorization, 'idempotency-key': `"${randomBytes(9).toString('hex')}"` };
          const asked = { method: 'POST', path: '/api/courses', headers, body: { title: 'A course' } };
          await measure('write', () => this.#ask(asked, 201));
        },
      },
    ];
  }

  async #ask(asked: Asked, status: number): Promise<string> {
    const answer = await this.#lane.ask(asked);
    if (answer.status !== status) throw new Error(`${answer.status}: ${answer.text.slice(0, 300)}`);
    return answer.text;
  }

  async #signIn(measure: Measure): Promise<void> {
    const person = someone();
    const { url, verifier } = this.#client.start(scope);
    const page = await measure('sign-in page', () => person.visit(url));
    if (page.status !== 200) throw new Error(`${page.status}: ${page.text.slice(0, 300)}`);
    const { email, password } = this.#account;
    const landed = await measure('sign-in', () => person.submit(page, { email, password }));
    const code = codeOf(landed.left ? landed : await person.submit(landed, { decision: 'approve' }));
    const { id, redirectUri } = this.#client;
    const form = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      client_id: id,
      code_verifier: verifier,
    };
    await measure('code exchange', () => this.#token(form));
  }

  /** Refreshes unless the last time is not over: a refresh token is used once. */
  async #refresh(index: number, measure: Measure): Promise<void> {
    if (this.#refreshing.has(index)) return;
    this.#refreshing.add(index);
    const { refresh_token } = this.#tokens[index]!;
    const form = { grant_type: 'refresh_token', refresh_token, client_id: this.#client.id };
    try {
      this.#tokens[index] = await measure('refresh', () => this.#token(form));
    } finally {
      this.#refreshing.delete(index);
    }
  }

  async #token(form: Record<string, string>): Promise<Tokens> {
    const asked = { method: 'POST', path: '/api/oauth/token', body: new URLSearchParams(form) };
    return JSON.parse(await this.#ask(asked, 200)) as Tokens;
  }
}

const someone = (): Person => new Person({ 'x-forwarded-for': anyAddress() });
