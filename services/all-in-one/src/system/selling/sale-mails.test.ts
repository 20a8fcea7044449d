import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Answer, Client, StartFailed, type System, call, freePort, startSystem } from '@lyceum/testkit';
import { isLongRun, patience } from '@lyceum/testkit';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { inForce } from '../../testing/in-force.ts';
import { mailsTo } from '../../testing/selling/mails-to.ts';
import { operateSales } from '../../testing/selling/sales-operator.ts';

const preload = join(import.meta.dirname, '../../../../../libs/tools/crashtest/dist/sales/fused-services.js');
const day = 86_400_000;

/** A commit of commerce at which its process is killed, and by SIGKILL: nothing is told to anybody. */
interface Death {
  readonly event: string;
  readonly when: 'before' | 'after';
}

/** Between an event and its mail. */
const [unheard, heard]: readonly [Death, Death] = [
  { event: 'process/mails/', when: 'before' },
  { event: 'process/mails/', when: 'after' },
];
/** Between the mail and the note that it was sent, and after that. */
const [sent, noted]: readonly [Death, Death] = [
  { event: 'Delivered', when: 'before' },
  { event: 'Delivered', when: 'after' },
];

const documentLink = /http:\/\/[^\s"<>]+\/invoices\/[\w-]+/;

describe('who buys is written to once about each thing, though the process dies between the event and the mail', () => {
  let folder: string;
  let port: number;
  let system: System | undefined;
  let course: string;
  let plan: string;
  let asked = 0;
  let days = 0;

  const env = (dies?: Death) => ({
    NODE_OPTIONS: `--import ${pathToFileURL(preload).href}`,
    PAYMENT_PROVIDERS: 'test',
    FUSED_SERVICES: JSON.stringify({
      ...(dies ? { dies: { service: 'commerce', passage: 1, ...dies } } : {}),
      ahead: { services: ['commerce'], by: days * day },
    }),
  });

  /**
   * Starts a process; with a death, one that does what is asked of it and dies, and one after it that lives. What nobody
   * was answered is asked once more.
   */
  async function live(death?: Death, act?: () => Promise<Answer>): Promise<void> {
    await system?.kill();
    try {
      system = await startSystem({ dataDir: folder, port, env: env(death) });
    } catch (error) {
      if (!death || !(error instanceof StartFailed) || error.ended.code !== null) throw error;
      // It may die before it is ready: what is due is done at once. What was to be asked is asked of the next that dies.
      await live();
      if (!act) return;
      await quiet();
      return live(death, act);
    }
    if (!death) return;
    const { process: child } = system;
    const answer = await act?.().catch(() => undefined);
    for (const since = performance.now(); child.signalCode === null; await pause(20))
      if (performance.now() - since > patience) throw new Error(`it lives: ${JSON.stringify([death, answer])}`);
    await live();
    if (act) expect([200, 409]).toContain((answer ?? (await act())).status);
  }

  const api = (path: string, options: Parameters<typeof call>[1] = {}): Promise<Answer> =>
    call(`http://127.0.0.1:${port}/api${path}`, options);
  const operate = (path: string, json: object = {}): Promise<Answer> => operateSales(system!, path, json);

  const owner = async () => {
    const client = await Client.register(`http://127.0.0.1:${port}`);
    const scopes = [
      'courses:read courses:write curriculum:read curriculum:write lecturers:read',
      'membership_plans:read membership_plans:write orders:read subscriptions:read',
    ];
    return (await client.tokens('owner@lantern.test', system?.password ?? '', scopes.join(' '))).access_token;
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lyceum-sale-mails-'));
    port = await freePort();
    await live();
    const token = await owner();
    const post = async (path: string, json: object = {}) => {
      const made = await api(path, { token, json });
      expect([path, made.status < 300]).toEqual([path, true]);
      return made.body;
    };
    const [lecturer] = (await api('/lecturers', { token })).body.data;
    const sold = { title: 'Sold & <b>bound</b>', access: 'paid', prices: [{ amount: 1_000, currency: 'USD' }] };
    ({ id: course } = await post('/courses', { ...sold, lecturer_ids: [lecturer.id] }));
    const section = await post(`/courses/${course}/sections`, { title: 'All' });
    const lesson = { section_id: section.id, title: 'First', type: 'text', release: { type: 'immediate' } };
    await post(`/courses/${course}/lessons/${(await post(`/courses/${course}/lessons`, lesson)).id}/publish`);
    await post(`/courses/${course}/publish`);
    const yearly = { name: 'The whole loft', kind: 'recurring', interval: 'year', price: { amount: 9_900 } };
    ({ id: plan } = await post('/membership_plans', { ...yearly, grants: { courses: 'all' } }));
    await post(`/membership_plans/${plan}/publish`);
    await quiet();
  }, 400_000);
  afterAll(async () => {
    await system?.stop();
    await rm(folder, { recursive: true, force: true });
  }, 60_000);

  /** The schools of the demo sell, too: resolves when all that is to be written about it is. */
  async function quiet(): Promise<void> {
    const count = async () => (await mailsTo(folder, '@')).length;
    let before = -1;
    for (let same = 0; same < 10; await pause(100)) {
      const now = await count();
      same = now === before ? same + 1 : 0;
      before = now;
    }
  }

  /** A guest orders. */
  async function order(item_type: string, item_id: string, email: string): Promise<string> {
    asked += 1;
    const headers = { 'idempotency-key': `order-${asked}` };
    const json = { items: [{ item_type, item_id }], email, name: 'Ada <i>O’Neil</i> & Sons' };
    const place = () => api('/checkout', { headers, json });
    const { status, body } = await inForce(patience, place, (answer) => answer.status === 201);
    expect([status, body.error]).toEqual([201, undefined]);
    return body.id;
  }

  /** The mails of the school to somebody with these words, once there are so many; a moment later, not one more. */
  async function mailsOnce(email: string, words: RegExp, count: number): Promise<readonly string[]> {
    const found = async () => (await mailsTo(folder, email)).filter((mail) => words.test(mail));
    await inForce(patience, found, (all) => all.length >= count);
    await pause(400);
    const all = await found();
    expect([words, all.length]).toEqual([words, count]);
    return all;
  }

  /** What stands at the address of a mail. */
  async function documentIn(mail: string | undefined, ...words: readonly string[]): Promise<string> {
    const url = documentLink.exec(mail ?? '')?.[0] ?? '';
    const page = await fetch(url, { headers: { accept: 'text/html' } });
    const html = await page.text();
    expect([url, page.status]).toEqual([url, 200]);
    for (const each of [...words, 'Lantern Craft School']) expect(html).toContain(each);
    expect(html).not.toMatch(/<b>bound|<i>O’Neil/);
    return url;
  }

  /** In a long run before and after each note of a mail, and around each mail; else before the notes of one. */
  const purchases = [
    ['it dies before it has written that they are to be sent, and that they were', 0, unheard, sent],
    ['it dies after it has', 1, heard, noted],
  ] as const;
  test.each(isLongRun ? purchases : purchases.slice(0, 1))(
    'a purchase and its refund: %s',
    async (_, at, first, second) => {
      const email = `buyer-${at}@sold.test`;
      const id = await order('course', course, email);
      await live(first, () => operate(`payments/test/${id}/succeed`));
      const [receipt] = await mailsOnce(email, /^subject: Your receipt/im, 1);
      await documentIn(receipt, 'INV-', '$10.00', 'Sold &amp; &lt;b&gt;bound', 'Ada &lt;i&gt;');
      await live(second, () => operate(`orders/${id}/refunds`, { reason: 'asked for' }));
      const [refund] = await mailsOnce(email, /^subject: Refund for/im, 1);
      await documentIn(refund, 'CN-', 'INV-', '$10.00');
      expect(receipt?.split('<!doctype html>')[1]).not.toMatch(/<b>bound/);
      await mailsOnce(email, /^subject: Your receipt/im, 1);
    },
    400_000,
  );

  test('a subscription: its receipt, what comes, what failed, and its end', async () => {
    const email = 'subscriber@sold.test';
    const id = await order('membership_plan', plan, email);
    const pay = () => operate(`payments/test/${id}/succeed`, { agreement: 'card_declined' });
    if (isLongRun) await live(heard, pay);
    else expect((await pay()).status).toBe(200);
    await mailsOnce(email, /^subject: Your receipt/im, 1);
    // It begins when the buyer is known.
    const token = await owner();
    const running = () => api(`/subscriptions?plan_id=${plan}&status=active`, { token });
    const begun = await inForce(patience, running, ({ body }) => body.data?.length > 0);
    expect(begun.body.data).toHaveLength(1);
    const past: RegExp[] = [];
    const steps = [
      [345, unheard, /^subject: Your subscription to The whole loft[^]*will be renewed/im],
      [21, sent, /^subject: Your payment for The whole loft[^]*did not go through/im],
      [15, noted, /^subject: Your subscription to The whole loft[^]*has ended/im],
    ] as const;
    for (const [later, death, words] of isLongRun ? steps : steps.slice(0, 1)) {
      days += later;
      await live(death);
      await mailsOnce(email, words, 1);
      past.push(words);
    }
    if (isLongRun) await live();
    for (const words of past) await mailsOnce(email, words, 1);
  }, 600_000);

  test('numbers are without a gap, and what is issued is nobody else’s to read', async () => {
    days = 0;
    await live();
    const token = await owner();
    const numbersOf = async (kind: string) => {
      const found: number[] = [];
      for (let next: string | null = ''; next !== null;) {
        const more: string = next === '' ? '' : `&cursor=${encodeURIComponent(next)}`;
        const { body } = await api(`/invoices?limit=100&kind=${kind}${more}`, { token });
        found.push(...body.data.map(({ number }: { number: number }) => number));
        next = body.next_cursor ?? null;
      }
      return found.toSorted((one, other) => one - other);
    };
    const upTo = (last: number) => Array.from({ length: last }, (_, at) => at + 1);
    const [invoices, notes] = [await numbersOf('invoice'), await numbersOf('credit_note')];
    expect([invoices, notes]).toEqual([upTo(invoices.length), upTo(notes.length)]);
    expect([invoices.length > 1, notes.length > 0]).toEqual([true, true]);
    const [mail] = await mailsOnce('buyer-0@sold.test', /^subject: Your receipt/im, 1);
    const url = new URL(documentLink.exec(mail ?? '')?.[0] ?? '');
    const { origin, pathname } = url;
    const statusAt = async (address: string) => (await call(address, { headers: { accept: 'text/html' } })).status;
    const guessed = `${pathname.slice(0, -9)}${pathname.at(-9) === 'A' ? 'B' : 'A'}${pathname.slice(-8)}`;
    expect(await statusAt(origin + pathname)).toBe(200);
    expect(await statusAt(origin + guessed)).toBe(404);
    expect(await statusAt(`http://northquay.localhost:${port}${pathname}`)).toBe(404);
    const { data } = (await api('/invoices?limit=1&kind=invoice', { token })).body;
    const [{ id }] = data;
    const client = await Client.register(`http://127.0.0.1:${port}`);
    const student = await client.tokens('student@lantern.test', system?.password ?? '', 'account:read');
    expect((await api(`/invoices/${id}`, { token })).status).toBe(200);
    expect((await api(`/invoices/${id}`, { token: student.access_token })).status).toBe(403);
    expect((await api(`/invoices/${id}`)).status).toBe(404);
  });
});
