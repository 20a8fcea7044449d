import { uuidv5 } from '@lyceum/kernel';
import { type MemoryMail, memoryMail } from '@lyceum/mail';
import type { TokenClaims } from '@lyceum/oauth/testing';
import { found, until } from '@lyceum/testkit';
import {
  type Got,
  type Sent,
  type ServiceUnderTest,
  type UnderTestOptions,
  serviceUnderTest,
} from '@lyceum/testkit-service';
import { commerce } from '../module.ts';
import type { CommerceSettings } from '../ports/commerce-settings.ts';

/** What is sold in both schools, by name. The prices of school_1 are in USD. */
export const itemIds = {
  lamps: 'course_00000000-0000-7000-8000-000000000001',
  looms: 'course_00000000-0000-7000-8000-000000000002',
  seats: 'course_00000000-0000-7000-8000-000000000003',
  free: 'course_00000000-0000-7000-8000-000000000004',
  gift: 'course_00000000-0000-7000-8000-000000000005',
  foreign: 'course_00000000-0000-7000-8000-000000000006',
  gone: 'course_00000000-0000-7000-8000-000000000007',
  closed: 'course_00000000-0000-7000-8000-000000000008',
  files: 'product_00000000-0000-7000-8000-000000000009',
} as const;

type ItemName = keyof typeof itemIds;

const shown = (name: ItemName, amount: number, more: object = {}, currency = 'USD') => ({
  type: 'CourseShown',
  data: {
    course_id: itemIds[name],
    slug: name,
    title: `The ${name}`,
    summary: null,
    access: 'paid',
    listed: true,
    prices: [{ id: `price_${name}`, amount, currency }],
    seat_limit: null,
    lecturer_ids: [],
    access_days: null,
    ...more,
  },
});

const ofOther = (fact: { type: string; data: object }) => ({ ...fact, school: 'school_2' });

const productShown = (amount: number, currency: string) => ({
  type: 'DigitalProductShown',
  data: {
    product_id: itemIds.files,
    slug: 'files',
    title: 'The files',
    summary: null,
    access: 'paid',
    files: 1,
    prices: [{ id: 'price_files', amount, currency }],
  },
});

const catalogFacts = [
  shown('lamps', 4_900),
  shown('looms', 3_333),
  shown('seats', 1_000, { seat_limit: 5 }),
  shown('free', 0, { access: 'free', prices: [] }),
  shown('gift', 0),
  shown('foreign', 500, {}, 'EUR'),
  shown('gone', 500),
  { type: 'CourseUnpublished', data: { course_id: itemIds.gone } },
  shown('closed', 500),
  {
    type: 'EnrollmentPeriodSet',
    data: { course_id: itemIds.closed, opens_at: null, closes_at: '2020-01-01T00:00:00.000Z' },
  },
  productShown(700, 'USD'),
  ofOther(shown('lamps', 5_000, {}, 'JPY')),
  ofOther(shown('looms', 101, {}, 'JPY')),
  ofOther(productShown(67, 'JPY')),
];

/** The token of a member, who may act as themselves. */
export const memberToken = (name = 'member'): TokenClaims => ({
  role: 'member',
  subject: `account_${name}`,
  scopes: ['account:read', 'account:write'],
});

/** Who sells in school_1. */
export const sellerOfTests = {
  name: 'Test School',
  details: 'Test School Lda\nRua 1\nNIF 123',
  base_url: 'http://school-1.test',
  locale: 'en',
  timezone: 'Europe/Lisbon',
} as const;

/** The service under test with what is sold, and the services around it. */
export interface Selling extends ServiceUnderTest {
  /** Addresses that the school service was asked to find or invite, in order, and the wish that each belonged to. */
  readonly invited: string[];
  readonly mail: MemoryMail;
  readonly wishes: string[];
  /** Buys; gives the answer. By default as a member. */
  buy(names: readonly ItemName[], more?: Buying): Promise<Got>;
  /** Has the test provider do something with a payment or order of school_1. */
  drive(id: string, action: string, more?: object): Promise<Got>;
  /** The order as the staff read it. */
  order(id: string): Promise<Got['body']>;
  /** The order as the staff read it, once it is as it should be. Throws when it does not become so. */
  orderOnce(id: string, is: (order: Got['body']) => boolean): Promise<Got['body']>;
  /** The learning service has given access for the lines of an order. */
  grant(order: Got['body']): Promise<void>;
  /** What processes could not do, by the order, once something is. */
  stuckOnce(): Promise<readonly { readonly correlation: string; readonly error: string }[]>;
}

/** How somebody buys. */
interface Buying extends Pick<Sent, 'as' | 'school'> {
  readonly body?: object;
  /** null = none. */
  readonly key?: string | null;
}

let keys = 0;

const idsIn = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

/** The address of a member. */
export const addressOf = (id: string): string => `${id}@example.org`;

/** How members stand: `nobody` is none, `erased` was one, and those whose name begins with a school are in that one only. */
export function standingOf(id: string, school: string) {
  if (id.startsWith('account_nobody')) return [];
  if (id.startsWith('account_school_') && !id.startsWith(`account_${school}`)) return [];
  return [{ id, role: 'member', status: id.startsWith('account_erased') ? 'erased' : 'active' }];
}

/** Starts the service. `school`: the answer of the school service about an address; the same member for the same by default. */
export async function startSelling(
  options: UnderTestOptions<CommerceSettings> & {
    readonly school?: (email: string) => unknown;
    /** What it answers about who sells; undefined = nothing. */
    readonly seller?: () => unknown;
  } = {},
): Promise<Selling> {
  const invited: string[] = [];
  const wishes: string[] = [];
  const memberOf = (email: string): unknown => ({ member: `account_${uuidv5('test', email)}`, invited: true });
  const { school: answer = memberOf, seller = () => sellerOfTests, ...rest } = options;
  const mail = memoryMail();
  const ask = async (service: string, question: Readonly<Record<string, unknown>>): Promise<unknown> => {
    if (service === 'auth') return { locale: String(question['account']).endsWith('_de') ? 'de-AT' : null };
    switch (service === 'school' ? question['kind'] : undefined) {
      case 'invite-student':
        invited.push(String(question['email']));
        wishes.push(String(question['commit']));
        return answer(String(question['email']));
      case 'seller':
        return seller();
      case 'standing-of-members':
        return { members: idsIn(question['ids']).flatMap((id) => standingOf(id, String(question['school']))) };
      case 'members-by-id':
        return { members: idsIn(question['ids']).map((id) => ({ id, name: `Name of ${id}`, email: addressOf(id) })) };
      default:
        return undefined;
    }
  };
  const service = await serviceUnderTest(commerce, {
    published: { catalog: catalogFacts },
    settings: { RATE_LIMIT_FACTOR: 1_000, ...rest.settings },
    ...rest,
    ports: { ask, mail, timerPoll: 50, ...rest.ports },
  });
  const { call } = service;
  const order = async (id: string) => (await call('GET', `/api/orders/${id}`)).body;
  return {
    ...service,
    invited,
    mail,
    wishes,
    order,
    async orderOnce(id, is) {
      let now: Got['body'];
      await until(
        async () => is((now = await order(id))),
        () => `another order than ${JSON.stringify(now)}`,
      );
      return now;
    },
    buy(names, { body = {}, key = `key-${(keys += 1)}`, ...sent } = {}) {
      const items = names.map((name) => ({
        item_type: itemIds[name].startsWith('course') ? 'course' : 'digital_product',
        item_id: itemIds[name],
      }));
      const headers = key === null ? {} : { 'idempotency-key': key };
      return call('POST', '/api/checkout', { as: memberToken(), ...sent, headers, body: { items, ...body } });
    },
    drive: (id, action, more = {}) =>
      call('POST', `/internal/payments/test/${id}/${action}`, { body: { school: 'school_1', ...more } }),
    async grant({ lines, buyer }) {
      for (const line of lines)
        await service.publish('learning', {
          type: 'AccessGranted',
          data: {
            enrollment_id: `enrollment_${line.id}`,
            member_id: buyer.member_id,
            grant_id: `grant_${line.id}`,
            item_type: line.item_type,
            item_id: line.item_id,
            source_type: 'order_line',
            source_id: line.id,
            starts_at: '2026-01-01T00:00:00.000Z',
            expires_at: null,
          },
        });
    },
    stuckOnce: () =>
      found(async () => {
        const all = await Promise.all((service.started.processes ?? []).map((process) => process.stuck()));
        return all.flat().length > 0 ? all.flat() : undefined;
      }, 'a stuck one'),
  };
}
