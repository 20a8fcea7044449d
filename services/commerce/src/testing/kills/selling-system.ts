import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { clientAddressHeader, demoSchoolId, schoolHeader } from '@lyceum/contracts';
import { type Answer, Client, StartFailed, type System, call, freePort, startSystem } from '@lyceum/testkit';
import { StripeServer } from '../../payments/stripe/testing/stripe-server.ts';
import { cardDataIn, knownCard } from '../known-card.ts';
import { type Death, secretKey, sellingProcess, serviceToken, webhookSecret } from './selling-process.ts';
import { stripeWebhookPath } from '../../payments/stripe/stripe-endpoint.ts';

/** Milliseconds that something may take which has to happen. */
const patience = 60_000;

/** An event as Stripe would send it that knows the card of the buyer. */
function withCard(body: Buffer): Buffer {
  const event = JSON.parse(body.toString()) as { data: { object: object } };
  return Buffer.from(JSON.stringify({ ...event, data: { object: { ...event.data.object, ...knownCard } } }, null, 2));
}

/** The school of the demo in which everything is sold. */
const school = demoSchoolId('lantern-craft');
/** The address is among it: by it, too, a repetition of somebody without an account is told from another's request. */
const asGateway = { [schoolHeader]: school, [clientAddressHeader]: '127.0.0.1', 'x-service-token': serviceToken };

/**
 * The whole system as a process that is killed and started again, and Stripe, which lives on with its books. What Stripe
 * has to say it says until it is heard, twice. Commerce lives `ahead` milliseconds ahead of the machine, and Stripe with it.
 */
export class SellingSystem {
  readonly stripe: StripeServer;
  /** What was answered that must not be. */
  readonly faults: string[] = [];
  #ahead: { by: number };
  #system: System | undefined;
  #isOver = false;
  #heard = 0;
  #logs = '';
  readonly #folder: string;
  readonly #port: number;
  readonly #telling: Promise<void>;

  private constructor(stripe: StripeServer, ahead: { by: number }, folder: string, port: number) {
    this.stripe = stripe;
    this.#ahead = ahead;
    this.#folder = folder;
    this.#port = port;
    this.#telling = this.#tell();
  }

  static async open(): Promise<SellingSystem> {
    const ahead = { by: 0 };
    const stripe = await StripeServer.start({ now: () => Date.now() + ahead.by }, secretKey);
    return new SellingSystem(stripe, ahead, await mkdtemp(join(tmpdir(), 'lyceum-selling-')), await freePort());
  }

  /** Later commerce and Stripe live so many milliseconds later. */
  advance(milliseconds: number): void {
    this.#ahead.by += milliseconds;
  }

  /** The last life is in the time of the machine again, in which tokens count. */
  back(): void {
    this.#ahead.by = 0;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Starts a process. With a death it is one that dies by it: resolves when it is dead, and throws when it lives on. */
  async live(death?: Death): Promise<void> {
    const died = death && this.#arm(death);
    try {
      const { program, env } = sellingProcess({ death, ahead: this.#ahead.by, stripe: this.stripe.url });
      this.#system = await startSystem({ dataDir: this.#folder, port: this.#port, env, ...(program && { program }) });
    } catch (error) {
      // It may die before it is ready: what an earlier life left open is done at once.
      if (!(error instanceof StartFailed) || error.ended.code !== null || !death) throw error;
      return;
    }
    if (!death) return;
    const { process: child } = this.#system;
    const gone = child.signalCode === null ? once(child, 'exit') : Promise.resolve();
    const signal = new AbortController();
    const late = pause(patience, 'late', { signal: signal.signal }).catch(() => 'over');
    const came = await Promise.race([gone, died, late]);
    signal.abort();
    const said = this.#system.output();
    await this.kill();
    if (came === 'late') throw new Error(`a process lives on that was to die: ${this.#why(death, said)}`);
  }

  /** What there was to see of a process that did not die. */
  #why(death: Death, said: string): string {
    const worrying = said.split('\n').filter((line) => /"level":"(warn|error|fatal)"/.test(line));
    const heard = `${this.#heard} of ${this.stripe.events.length} events of Stripe were taken in`;
    return [JSON.stringify(death), heard, ...this.faults, ...worrying.slice(-20), ...said.split('\n').slice(-20)].join(
      '\n',
    );
  }

  /** A kill from outside, at no point. */
  async kill(): Promise<void> {
    await this.#system?.kill();
    this.#logs += this.#system?.output() ?? '';
    this.#system = undefined;
  }

  #arm(death: Death): Promise<void> {
    if (!('asked' in death)) return new Promise(() => undefined);
    let { passage } = death;
    return new Promise((resolve) => {
      this.stripe.intercept = ({ method, path }, when) => {
        if (when !== death.when || !death.asked.test(`${method} ${path}`)) return 'go on';
        passage -= 1;
        if (passage > 0) return 'go on';
        this.stripe.intercept = () => 'go on';
        resolve();
        return 'say nothing';
      };
    });
  }

  /** Asks until somebody answers; what is no answer of a system that lives, and not `expected`, is a fault. */
  async insist(
    what: string,
    ask: () => Promise<Answer>,
    expected: (answer: Answer) => boolean = ({ status }) => status < 300,
  ): Promise<Answer> {
    while (!this.#isOver) {
      const answer = await ask().catch(() => undefined);
      if (answer && expected(answer)) return answer;
      if (answer && answer.status !== 503) {
        const fault = `${what}: ${answer.status} ${JSON.stringify(answer.body)}`;
        this.faults.push(fault);
        throw new Error(fault);
      }
      await pause(this.#system ? 40 : 100);
    }
    throw new Error(`${what}: it is over`);
  }

  /** A request at the school's address. The gateway replaces what it would add, where there is one. */
  api(path: string, { headers, ...options }: Parameters<typeof call>[1] = {}): Promise<Answer> {
    return call(`${this.baseUrl}${path}`, { ...options, headers: { ...headers, ...asGateway } });
  }

  /** A request of the operator. */
  operate(path: string, key: string, json: object): Promise<Answer> {
    const { operatorUrl, operatorToken } = this.#system ?? {};
    if (operatorUrl === undefined) return Promise.reject(new Error('it is dead'));
    return call(`${operatorUrl}${path}`, {
      headers: { authorization: `Bearer ${operatorToken}`, 'idempotency-key': key },
      json: { school, ...json },
    });
  }

  /** What waits for the operator. */
  async stuck(): Promise<readonly unknown[]> {
    const { operatorUrl, operatorToken } = this.#system ?? {};
    const { body } = await call(`${operatorUrl}/internal/stuck`, {
      headers: { authorization: `Bearer ${operatorToken}` },
    });
    return body.data;
  }

  /** The token of the owner. */
  async owner(scope: string): Promise<string> {
    const client = await Client.register(this.baseUrl);
    const password = this.#system?.password ?? '';
    return (await client.tokens('owner@lantern.test', password, scope)).access_token;
  }

  /** What of cards stands in the files of all services, in mails and in all logs. To be asked when nobody lives. */
  async cardData(): Promise<readonly string[]> {
    const files = await readdir(this.#folder, { recursive: true, withFileTypes: true });
    const found = cardDataIn(this.#logs).map((each) => `the log: ${each}`);
    for (const each of files.filter((entry) => entry.isFile())) {
      const bytes = await readFile(join(each.parentPath, each.name), 'latin1');
      found.push(...cardDataIn(bytes).map((one) => `${each.name}: ${one}`));
    }
    if (files.length < 5 || !this.#logs.includes('/api/checkout')) found.push('there is nothing to search');
    return found;
  }

  /** Brings each event of Stripe, in order, until it is taken in; and once more. */
  async #tell(): Promise<void> {
    for (let next = 0; !this.#isOver;) {
      const event = this.stripe.events[next];
      if (!event) {
        await pause(10);
        continue;
      }
      next += 1;
      for (let times = 0; times < 2; times += 1) await this.#tellOnce(withCard(event.body)).catch(() => undefined);
      this.#heard = next;
    }
  }

  #tellOnce(body: Buffer): Promise<Answer> {
    const send = async () => {
      const headers = {
        'content-type': 'application/json',
        'stripe-signature': this.stripe.sign(body, webhookSecret),
        'x-service-token': serviceToken,
      };
      const response = await fetch(`${this.baseUrl}${stripeWebhookPath}`, {
        method: 'POST',
        headers,
        body: new Uint8Array(body),
      });
      return { status: response.status, body: await response.json() } as Answer;
    };
    return this.insist('a webhook', send);
  }

  /** Resolves when all was taken in that Stripe has had to say so far. */
  async heard(): Promise<void> {
    const until = this.stripe.events.length;
    while (this.#heard < until && !this.#isOver) await pause(20);
  }

  async close(): Promise<void> {
    this.#isOver = true;
    await this.#telling;
    await this.#system?.stop();
    await this.stripe.close();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
