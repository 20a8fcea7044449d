import { createHmac } from 'node:crypto';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { Clock } from '@lyceum/kernel';
import { type Form, formOf, paths } from './stripe-form.ts';
import { Refused, StripeBooks } from './stripe-books.ts';

/** An event that Stripe would send, in the bytes that it would send. */
export interface SentEvent {
  readonly type: string;
  readonly body: Buffer;
}

/** A request that came to the server. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly account: string | undefined;
  readonly key: string | undefined;
}

/** A trouble that a request meets: it fails before it is done, or its answer is lost after it was done. */
export type Trouble = 500 | 429 | 'lost' | 'silent';

interface Answer {
  readonly status: number;
  readonly body: object;
}

/** Parameters that are understood; Stripe refuses others. */
const known =
  /^(mode|client_reference_id|success_url|cancel_url|expires_at|customer_creation|metadata\.\w+|setup_intent_data\.metadata\.\w+|automatic_payment_methods\.(enabled|allow_redirects)|payment_intent_data\.(metadata\.\w+|setup_future_usage)|line_items\.\d+\.(quantity|price_data\.(currency|unit_amount|product_data\.name))|amount|currency|customer|payment_method|off_session|confirm|description|payment_intent|limit|created\.gte)$/;

/** A local server that speaks the part of Stripe's API that is used. @see https://github.com/stripe/openapi */
export class StripeServer {
  readonly asked: Asked[] = [];
  readonly events: SentEvent[] = [];
  /** What the next requests meet, one each. */
  readonly troubles: Trouble[] = [];
  /** Told of each request when it has come, and when it is done and not yet answered: whether it ever is. */
  intercept: (asked: Asked, when: 'before' | 'after') => 'go on' | 'say nothing' = () => 'go on';
  /** Words with which sessions and charges are refused for good. */
  refusing: string | undefined;
  /** What happens elsewhere while the next requests that change something are answered, one each. */
  readonly meanwhile: (() => Promise<unknown>)[] = [];
  readonly #accounts = new Map<string, StripeBooks>();
  readonly #answered = new Map<string, { readonly request: string; readonly answer: Answer }>();
  readonly #clock: Clock;
  readonly #secretKey: string;
  readonly #server: Server;
  #number = 0;

  private constructor(clock: Clock, secretKey: string) {
    this.#clock = clock;
    this.#secretKey = secretKey;
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  /** Starts it on a free port of the loopback. */
  static async start(clock: Clock, secretKey: string): Promise<StripeServer> {
    const started = new StripeServer(clock, secretKey);
    await new Promise<void>((resolve) => void started.#server.listen(0, '127.0.0.1', resolve));
    return started;
  }

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the server does not listen');
    return `http://127.0.0.1:${address.port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => void this.#server.close(resolve));
  }

  /** What there is at an account; the installation's own without a name. */
  books(account = ''): StripeBooks {
    const next = () => (this.#number += 1);
    const happened = (type: string, object: object) => this.#happened(account, type, object);
    const books = this.#accounts.get(account) ?? new StripeBooks(this.#clock, next, happened);
    this.#accounts.set(account, books);
    return books;
  }

  /** Stripe forgets keys after a day. */
  forgetKeys(): void {
    this.#answered.clear();
  }

  #happened(account: string, type: string, object: object): void {
    const event = {
      id: `evt_${(this.#number += 1)}`,
      object: 'event',
      api_version: '2026-10-28.endive',
      created: Math.floor(this.#clock.now() / 1_000),
      livemode: false,
      pending_webhooks: 1,
      type,
      ...(account === '' ? {} : { account }),
      data: { object },
    };
    // As Stripe writes them: over several lines. The signature is over these very bytes.
    this.events.push({ type, body: Buffer.from(JSON.stringify(event, null, 2)) });
  }

  /** The `Stripe-Signature` of bytes. @see https://docs.stripe.com/webhooks#verify-manually */
  sign(body: Buffer, secret: string, at = Math.floor(this.#clock.now() / 1_000)): string {
    return `t=${at},v1=${createHmac('sha256', secret).update(`${at}.`).update(body).digest('hex')}`;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const body = Buffer.concat(chunks).toString();
    const trouble = this.troubles.shift();
    const path = request.url ?? '/';
    const [account, key] = [request.headers['stripe-account'], request.headers['idempotency-key']].map((value) =>
      typeof value === 'string' ? value : undefined,
    );
    const asked = { method: request.method ?? '', path, account, key };
    this.asked.push(asked);
    if (trouble === 'silent' || this.intercept(asked, 'before') === 'say nothing') return;
    const answer =
      typeof trouble === 'number'
        ? { status: trouble, body: { error: { type: 'api_error', message: 'Try again' } } }
        : this.#answer(asked, body, request.headers.authorization ?? '');
    if (request.method === 'POST') await this.meanwhile.shift()?.();
    if (this.intercept(asked, 'after') === 'say nothing') return;
    // Done, and nobody hears of it.
    if (trouble === 'lost') return void request.socket.destroy();
    response.writeHead(answer.status, { 'Content-Type': 'application/json', 'Request-Id': `req_${this.#number}` });
    response.end(JSON.stringify(answer.body));
  }

  #answer(asked: Asked, body: string, authorization: string): Answer {
    if (authorization !== `Bearer ${this.#secretKey}`)
      return { status: 401, body: { error: { type: 'invalid_request_error', message: 'Invalid API Key provided' } } };
    if (asked.key === undefined || asked.method !== 'POST') return this.#done(asked, body);
    const once = `${asked.account ?? ''} ${asked.key}`;
    const request = `${asked.path} ${body}`;
    const before = this.#answered.get(once);
    if (before && before.request !== request) {
      const message =
        'Keys for idempotent requests can only be used with the same parameters they were first used with.';
      return { status: 400, body: { error: { type: 'idempotency_error', message } } };
    }
    const answer = before?.answer ?? this.#done(asked, body);
    this.#answered.set(once, { request, answer });
    return answer;
  }

  #done(asked: Asked, body: string): Answer {
    try {
      // As it is now: what is kept for a repeated request does not change with the object.
      return { status: 200, body: structuredClone(this.#route(asked, body)) };
    } catch (error) {
      if (error instanceof Refused) return { status: error.status, body: { error: error.body } };
      throw error;
    }
  }

  #route({ method, path, account }: Asked, body: string): object {
    const { pathname, search } = new URL(path, 'http://stripe.test');
    const form = formOf(method === 'POST' ? body : search.slice(1));
    const [unknown] = paths(form).filter((each) => !known.test(each));
    if (unknown !== undefined)
      throw new Refused(400, 'invalid_request_error', {
        code: 'parameter_unknown',
        param: unknown,
        message: `Received unknown parameter: ${unknown}`,
      });
    const [, id = '', action = ''] = /^\/v1\/(?:checkout\/)?\w+(?:\/(\w+))?(?:\/(\w+))?$/.exec(pathname) ?? [];
    return this.#act(this.books(account), `${method} ${pathname.replace(id, id && '{id}')}`, { id, action, form });
  }

  #perhapsRefuse(): void {
    if (this.refusing !== undefined)
      throw new Refused(400, 'invalid_request_error', { code: 'account_invalid', message: this.refusing });
  }

  #act(books: StripeBooks, operation: string, { id, form }: { id: string; action: string; form: Form }): object {
    const of = ({ payment_intent }: { payment_intent: string | null }) => payment_intent === form['payment_intent'];
    switch (operation) {
      case 'POST /v1/checkout/sessions':
        this.#perhapsRefuse();
        return books.openSession(form);
      case 'GET /v1/checkout/sessions':
        return listOf([...books.sessions.values()].filter(of));
      case 'GET /v1/checkout/sessions/{id}':
        return books.session(id);
      case 'POST /v1/checkout/sessions/{id}/expire':
        return books.expire(id);
      case 'GET /v1/setup_intents/{id}':
        return books.setup(id);
      case 'POST /v1/payment_intents':
        this.#perhapsRefuse();
        return books.charge(form);
      case 'GET /v1/payment_intents':
        return listOf(books.intentsOf(form));
      case 'GET /v1/payment_intents/{id}':
        return books.intent(id);
      case 'POST /v1/payment_intents/{id}/cancel':
        return books.cancelIntent(id);
      case 'POST /v1/refunds':
        return books.refund(form);
      case 'GET /v1/refunds':
        return listOf([...books.refunds.values()].filter(of));
      case 'GET /v1/disputes':
        return listOf([...books.disputes.values()].filter(of));
      default:
        throw new Refused(404, 'invalid_request_error', { message: `Unrecognized request URL (${operation})` });
    }
  }
}

const listOf = (data: readonly object[]): object => ({ object: 'list', data, has_more: false, url: '/v1' });
