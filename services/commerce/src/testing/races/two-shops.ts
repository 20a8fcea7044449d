import { setTimeout as pause } from 'node:timers/promises';
import { demoSchoolId, schoolHeader } from '@lyceum/contracts';
import { type Answer, Client, type Place, type ServiceProcess, anotherProcess, call, until } from '@lyceum/testkit';
import { publishedCourse } from '../kills/published-course.ts';

const school = demoSchoolId('lantern-craft');

const scope =
  'courses:read courses:write curriculum:read curriculum:write lecturers:read coupons:read coupons:write orders:read students:read';

/** A checkout as it was answered. */
export interface Placed {
  readonly id: string;
  readonly number: number;
}

/** What is wanted at once, and the error of those for whom nothing is left. */
export interface Wanted {
  readonly course: string;
  readonly coupon_code?: string;
  readonly over: 'coupon_invalid' | 'sold_out';
}

/** What came of a race. */
interface Outcome {
  readonly placed: readonly Placed[];
  readonly refused: number;
  /** What was answered that must not be. */
  readonly odd: readonly string[];
  /** How many were answered when each kill came. */
  readonly killedAt: readonly number[];
}

/** Two processes that take the checkouts of a school, beside a whole system on MongoDB-wire, Kafka and Redis. */
export class TwoShops {
  readonly #system: Place;
  readonly #token: string;
  readonly #shops: readonly ServiceProcess[];
  #races = 0;

  private constructor(system: Place, token: string, shops: readonly ServiceProcess[]) {
    this.#system = system;
    this.#token = token;
    this.#shops = shops;
  }

  /** Starts them. What else commerce does is done by the process of the system, which is not killed. */
  static async open(system: Place): Promise<TwoShops> {
    const env = { ...system.env, ROLE: 'http' };
    const shops = [await anotherProcess('commerce', env), await anotherProcess('commerce', env)];
    for (const shop of shops) shop.launch();
    await Promise.all(shops.map((shop) => shop.ready()));
    const client = await Client.register(system.baseUrl);
    const { access_token } = await client.tokens('owner@lantern.test', system.password, scope);
    return new TwoShops(system, access_token, shops);
  }

  async close(): Promise<void> {
    await Promise.all(this.#shops.map((shop) => shop.end('SIGTERM')));
  }

  /** A request of the owner. Throws when it is refused. */
  async staff(path: string, json?: object): Promise<Answer['body']> {
    const { status, body } = await call(`${this.#system.baseUrl}/api${path}`, { token: this.#token, json });
    if (status >= 300) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
    return body;
  }

  /** A course for ten dollars that both processes sell; gives its id. */
  async offer(more: { readonly seat_limit?: number } = {}): Promise<string> {
    const [lecturer] = (await this.staff('/lecturers')).data;
    const post = (path: string, json: object = {}) => this.staff(path.replace('/api', ''), json);
    const course = await publishedCourse(post, lecturer.id, { title: 'Raced', amount: 1_000, ...more });
    const json = { items: [{ item_type: 'course', item_id: course }] };
    for (const shop of this.#shops)
      await until(
        so(async () => (await this.#ask(shop, '/quotes', { json })).status === 200),
        'that both sell it',
      );
    return course;
  }

  /** So many guests buy at once, at both, and repeat it with the same key until they are answered; meanwhile, kills. */
  async race(people: number, { course, coupon_code, over }: Wanted, kills: number): Promise<Outcome> {
    this.#races += 1;
    const [race, placed, odd, killedAt]: [number, Placed[], string[], number[]] = [this.#races, [], [], []];
    let refused = 0;
    const items = [{ item_type: 'course', item_id: course }];
    const buy = async (index: number): Promise<void> => {
      const json = { items, email: `race-${race}-${index}@sold.test`, ...(coupon_code ? { coupon_code } : {}) };
      const headers = { 'idempotency-key': `"race-${race}-${index}"` };
      const { status, body } = await this.#insist(index, { headers, json });
      if (status === 201) placed.push({ id: body.id, number: body.order.number });
      else if (body.error === over) refused += 1;
      else odd.push(`${status} ${JSON.stringify(body)}`);
    };
    const answered = () => placed.length + refused + odd.length;
    const killing = async (): Promise<void> => {
      for (let kill = 0; kill < kills; kill += 1) {
        // In the middle of those who get something, and later of those who do not.
        while (answered() < 2 ** (kill + 1)) await pause(1);
        const shop = this.#shops[kill % 2];
        killedAt.push(answered());
        await shop?.end('SIGKILL');
        shop?.launch();
      }
    };
    await Promise.all([killing(), ...Array.from({ length: people }, (_, index) => buy(index))]);
    await Promise.all(this.#shops.map((shop) => shop.ready()));
    return { placed, refused, odd, killedAt };
  }

  /** The test provider says `times` times to each of both that an order is paid, under one id. */
  async pay({ id }: Placed, times: number): Promise<void> {
    const says = Array.from({ length: times }, () => this.#shops).flat();
    const json = { school, event_id: `evt_${id}` };
    const answers = await Promise.all(
      says.map((shop, index) => this.#operate(shop, `/internal/payments/test/${id}/succeed`, { json, key: index })),
    );
    const odd = answers.filter(({ status, body }) => status !== 200 || body.status !== 'paid');
    if (odd.length > 0) throw new Error(`a payment: ${odd.map(({ body }) => JSON.stringify(body)).join(' ')}`);
  }

  /** The orders, as the staff read them, once they are fulfilled. */
  async fulfilled(placed: readonly Placed[]): Promise<readonly Answer['body'][]> {
    const orders: Answer['body'][] = [];
    for (const { id } of placed) {
      let order: Answer['body'];
      const isFulfilled = so(async () => {
        order = await this.staff(`/orders/${id}`);
        return order.fulfilled_at !== null;
      });
      await until(isFulfilled, `the fulfilment of ${id}`);
      orders.push(order);
    }
    return orders;
  }

  /** How many have a course, once so many do. */
  async students(course: string, count: number): Promise<number> {
    const path = `/students?course_id=${course}&limit=100`;
    await until(
      so(async () => (await this.staff(path)).data.length >= count),
      `${count} who have it`,
    );
    return (await this.staff(path)).data.length;
  }

  /** The numbers of all orders, ascending. */
  async numbers(): Promise<readonly number[]> {
    const numbers: number[] = [];
    for (let next: string | null = ''; next !== null;) {
      const page: Answer['body'] = await this.staff(
        `/orders?limit=100${next === '' ? '' : `&cursor=${encodeURIComponent(next)}`}`,
      );
      numbers.push(...page.data.map(({ number }: Placed) => number));
      next = page.next_cursor;
    }
    return numbers.toSorted((one, other) => one - other);
  }

  /** Asks both in turn until one answers. */
  async #insist(first: number, request: object): Promise<Answer> {
    for (let tries = first; ; tries += 1) {
      const shop = this.#shops[tries % 2];
      if (!shop) throw new Error('there are not two');
      const answer = await this.#ask(shop, '', request).catch(() => undefined);
      // For a minute nobody knows whether a process is still at what it was asked, or dead.
      const isAtIt = answer?.body.error === 'idempotency_in_progress';
      if (answer && answer.status !== 503 && !isAtIt) return answer;
      await pause(isAtIt ? 1_000 : 40);
    }
  }

  #ask(shop: ServiceProcess, path: string, request: Parameters<typeof call>[1] = {}): Promise<Answer> {
    const own = { [schoolHeader]: school, 'x-service-token': this.#system.env?.['SERVICE_TOKEN'] ?? '' };
    const headers = { ...own, ...request.headers };
    return call(`http://127.0.0.1:${shop.port}/api/checkout${path}`, { ...request, headers });
  }

  #operate(shop: ServiceProcess, path: string, { json, key }: { json: object; key: number }): Promise<Answer> {
    const headers = { 'idempotency-key': `"${path}-${key}"` };
    const at = `http://127.0.0.1:${shop.env['OPERATOR_PORT']}${path}`;
    return call(at, { token: this.#system.operatorToken, headers, json });
  }
}

/** What cannot be asked now is not so yet. */
const so = (isSo: () => Promise<boolean>) => () => isSo().catch(() => false);
