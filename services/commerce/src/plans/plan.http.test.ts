import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Message } from '@lyceum/channel';
import type { Role } from '@lyceum/contracts';
import { execute } from '@lyceum/eventlog';
import { isoTime, uuidv5 } from '@lyceum/kernel';
import type { TokenClaims } from '@lyceum/oauth/testing';
import type { Sent } from '@lyceum/testkit-service';
import { disagreements } from '@lyceum/web';
import { type Commerce, startCommerce } from '../testing.ts';
import { planOperations, planRejections } from './plan.http.ts';
import { planReply } from './plan.schema.ts';
import { planDecider } from './plan.ts';

let commerce: Commerce;
beforeAll(async () => void (commerce = await startCommerce()));
afterAll(() => commerce.close());

const path = '/api/membership_plans';
const scopes = ['membership_plans:read', 'membership_plans:write'] as const;
const as = (role: Role, held: TokenClaims['scopes'] = scopes): TokenClaims => ({
  role,
  subject: `acc_${role}`,
  scopes: held!,
});
const grants = { courses: ['course_paid'], posts: true };

const send = (method: string, at: string, body?: object, sent: Sent = {}) =>
  commerce.call(method, `${path}${at}`, { ...sent, ...(body ? { body } : {}) });

async function create(body: object = {}, sent: Sent = {}) {
  const got = await send('POST', '', { name: 'Friends', price: { amount: 1500 }, grants, ...body }, sent);
  expect([got.status, got.body.error]).toEqual([201, undefined]);
  return got.body;
}

async function published(body: object = {}) {
  const made = await create(body);
  const got = await send('POST', `/${made.id}/publish`);
  expect([got.status, got.body.status]).toEqual([200, 'active']);
  return got.body;
}

const hidden = ['grants', 'max_subscribers', 'status', 'subscriber_count', 'visible'];

describe('membership plans', () => {
  test('reject with the statuses of the error table', () => expect(disagreements(planRejections)).toEqual([]));

  test('are created as monthly drafts with a slug of their name, and changed', async () => {
    const plan = await create({ name: 'Zoë’s circle' });
    expect(plan).toMatchObject({
      object: 'membership_plan',
      slug: 'zoes-circle',
      kind: 'recurring',
      interval: 'month',
      interval_count: 1,
      price: { amount: 1500, currency: 'USD' },
      opens: { courses: 1, digital_products: 0, posts: true, event_discount_percent: 0 },
      grants: { courses: ['course_paid'], digital_products: [], posts: true, event_discount_percent: 0 },
      trial_days: 0,
      visible: true,
      available: false,
      subscriber_count: 0,
      plan_version: 1,
      status: 'draft',
      published_at: null,
    });
    const changed = await send('PATCH', `/${plan.id}`, { trial_days: 14, price: { amount: 1800 } });
    expect(changed.body).toMatchObject({ trial_days: 14, price: { amount: 1800, currency: 'USD' }, plan_version: 1 });
    const forLife = await send('PATCH', `/${plan.id}`, { kind: 'lifetime', trial_days: 0 });
    expect(forLife.body).toMatchObject({ kind: 'lifetime', interval: null, interval_count: null });
    expect(await create({ kind: 'lifetime', name: 'For life' })).toMatchObject({
      interval: null,
      interval_count: null,
    });
    expect(await create({ interval: 'year', name: 'Yearly' })).toMatchObject({ interval: 'year', interval_count: 1 });
  });

  test('422: what makes no sense together is named', async () => {
    const refused = async (body: object) => {
      const { status, body: got } = await send('POST', '', { name: 'No', price: { amount: 1 }, ...body });
      expect([status, got.error]).toEqual([422, 'validation_failed']);
      return got.details.map(({ path: at, code }: { path: string; code: string }) => `${at} ${code}`);
    };
    expect(await refused({ price: { amount: 1, currency: 'JPY' } })).toEqual(['price.currency currency_mismatch']);
    expect(await refused({ kind: 'lifetime', trial_days: 3 })).toEqual(['trial_days not_recurring']);
    expect(await refused({ grants: { courses: ['product_paid'], digital_products: ['none'] } })).toEqual([
      'grants.courses.0 unknown_item',
      'grants.digital_products.0 unknown_item',
    ]);
  });

  test('409 slug_taken: slugs are unique in the school; a former one answers 308', async () => {
    const made = await create({ slug: 'the-plan' });
    expect((await send('POST', '', { name: 'x', slug: 'the-plan', price: { amount: 1 } })).body.error).toBe(
      'slug_taken',
    );
    const elsewhere = { name: 'x', slug: 'the-plan', price: { amount: 1 } };
    expect((await send('POST', '', elsewhere, { school: 'school_2' })).body.price).toEqual({
      amount: 1,
      currency: 'JPY',
    });
    await send('PATCH', `/${made.id}`, { slug: 'new-plan' });
    const old = await send('GET', '/the-plan');
    expect([old.status, old.headers.get('location')]).toEqual([308, `${path}/new-plan`]);
  });

  test('409 not_ready: a plan that is sold opens something', async () => {
    const { id } = await create({ grants: {} });
    const refused = await send('POST', `/${id}/publish`);
    expect([refused.body.error, refused.body.details]).toMatchObject(['not_ready', [{ code: 'grants_missing' }]]);
    const opened = await send('PUT', `/${id}/grants`, { courses: 'all' });
    expect(opened.body).toMatchObject({ grants: { courses: 'all' }, opens: { courses: 'all' } });
    expect((await send('POST', `/${id}/publish`)).body.status).toBe('active');
    expect((await send('PUT', `/${id}/grants`, {})).body.error).toBe('not_ready');
  });

  test('409 has_subscribers: what was sold keeps its terms; a new version is sold at others', async () => {
    const { id } = await published({ name: 'Sold' });
    const at = isoTime(commerce.clock.now());
    await execute(commerce.log, planDecider, {
      tenant: 'school_1',
      stream: id,
      command: { type: 'SubscriberJoins', subscription_id: 'sub_1', plan_version: 1 },
      at,
      meta: { actor: 'system' },
      commitId: uuidv5('sub_1', id),
    });
    const refused = await send('PATCH', `/${id}`, { price: { amount: 1 }, interval: 'year' });
    expect([refused.status, refused.body.error]).toEqual([409, 'has_subscribers']);
    expect((await send('PATCH', `/${id}`, { name: 'Still' })).body.name).toBe('Still');
    const again = await send('POST', `/${id}/versions`, { price: { amount: 2000 } });
    expect(again.body).toMatchObject({
      plan_version: 2,
      price: { amount: 2000 },
      interval: 'month',
      subscriber_count: 1,
    });
    expect((await send('PATCH', `/${id}`, { price: { amount: 2100 } })).body.plan_version).toBe(2);
    expect((await send('POST', `/${id}/retire`)).body).toMatchObject({ status: 'retired', available: false });
    expect((await send('POST', `/${id}/versions`, { price: { amount: 1 } })).body.error).toBe('invalid_state');
    expect((await send('DELETE', `/${id}`)).body.error).toBe('invalid_state');
  });

  test('are public while they are active, without what the staff see; those that are not listed by their slug only', async () => {
    const [draft, open, quiet] = [
      await create({ name: 'Draft' }),
      await published({ name: 'Élan open', position: 2 }),
      await published({ name: 'Elan quiet', visible: false, position: 1 }),
    ];
    const marked = Object.entries(planReply.shape).filter(([, field]) => field.meta()?.['sees'] === 'staff');
    expect(marked.map(([name]) => name).toSorted()).toEqual(hidden);
    await commerce.settled();
    for (const who of ['anonymous', as('member'), as('lecturer')] as const) {
      const status = async (at: string) => (await send('GET', at, undefined, { as: who })).status;
      expect([await status(`/${draft.id}`), await status(`/${draft.slug}`)]).toEqual([404, 404]);
      expect([await status(`/${open.id}`), await status(`/${quiet.id}`), await status(`/${quiet.slug}`)]).toEqual([
        200, 404, 200,
      ]);
      const { body } = await send('GET', `/${open.id}`, undefined, { as: who });
      for (const name of hidden) expect(body).not.toHaveProperty(name);
      const listed = (await send('GET', '?q=elan', undefined, { as: who })).body.data;
      expect(listed.map(({ id }: { id: string }) => id)).toEqual([open.id]);
    }
    const all = (await send('GET', '?q=elan')).body.data;
    expect(all.map(({ id }: { id: string }) => id)).toEqual([quiet.id, open.id]);
    expect((await send('GET', '?q=elan&sort=-position')).body.data[0].id).toBe(open.id);
  });

  test('are told to other services: what everybody sees, and what they open', async () => {
    const heard: Message[] = [];
    const own = await startCommerce();
    const from = own.channel.subscribe({
      consumer: 'test',
      source: 'commerce',
      from: async () => 0,
      handle: async (message) => void heard.push(message),
    });
    try {
      const call = (method: string, at: string, body?: object) =>
        own.call(method, `${path}${at}`, body ? { body } : {});
      const { body: plan } = await call('POST', '', { name: 'Friends', price: { amount: 1500 }, grants });
      await call('POST', `/${plan.id}/publish`);
      await call('PATCH', `/${plan.id}`, { description: 'Not in lists' });
      await call('PUT', `/${plan.id}/grants`, { posts: true, keep_existing: true });
      await call('PATCH', `/${plan.id}`, { visible: false });
      await from.caughtUp();
      const facts = heard.flatMap((message) => message.facts).filter(({ subject }) => subject === plan.id);
      expect(facts.map(({ type }) => type)).toEqual([
        'PlanChanged',
        'PlanGrantsChanged',
        'PlanChanged',
        'PlanShown',
        'PlanChanged',
        'PlanGrantsChanged',
        'PlanChanged',
        'PlanHidden',
      ]);
      expect(facts[3]!.data).toMatchObject({
        plan_id: plan.id,
        slug: 'friends',
        amount: 1500,
        currency: 'USD',
      });
      expect(facts[5]!.data).toMatchObject({
        added: [],
        removed: [{ item_type: 'course', item_id: 'course_paid' }],
        keep_existing: true,
      });
    } finally {
      await from.close();
      await own.close();
    }
  });
});

describe('who may do what with membership plans', () => {
  const outcomes = async (sender: Sent, id: string) => {
    const found: Record<string, string> = {};
    for (const { id: operation, method, path: template, body } of planOperations) {
      const example = body?.meta()?.['example'] as object | undefined;
      const sent = example ? { body: example, ...sender } : sender;
      const { status, body: got } = await commerce.call(method, template.replace('{plan}', id), sent);
      found[operation] = got?.error ? `${status} ${got.error}` : String(status);
    }
    return found;
  };
  const all = (reading: string, writing: string) =>
    Object.fromEntries(planOperations.map(({ id, method }) => [id, method === 'GET' ? reading : writing]));

  test('everybody reads what is public, and owners and admins alone write', async () => {
    const { id } = await published({ name: 'Table' });
    expect(await outcomes({ as: 'anonymous' }, id)).toEqual(all('200', '403 access_denied'));
    for (const role of ['member', 'lecturer'] as const) {
      expect(await outcomes({ as: as(role) }, id)).toEqual(all('200', '403 access_denied'));
      const lacks = '403 insufficient_scope';
      expect(await outcomes({ as: as(role, ['courses:read']) }, id)).toEqual(all(lacks, lacks));
    }
    const elsewhere = await outcomes({ as: as('owner'), school: 'school_2' }, id);
    const missing = {
      ...all('404 not_found', '404 not_found'),
      listMembershipPlans: '200',
      createMembershipPlan: '201',
    };
    expect({ ...elsewhere, addMembershipPlanVersion: '404 not_found' }).toEqual(missing);
  });

  test.each(['owner', 'admin'] as const)('%ss do all of it', async (role) => {
    const who = { as: as(role) };
    const { id } = await create({ name: `By ${role}` }, who);
    expect((await send('PATCH', `/${id}`, { trial_days: 7 }, who)).status).toBe(200);
    expect((await send('PUT', `/${id}/grants`, { courses: 'all' }, who)).status).toBe(200);
    expect((await send('POST', `/${id}/versions`, { price: { amount: 9 } }, who)).status).toBe(200);
    for (const what of ['publish', 'retire'])
      expect((await send('POST', `/${id}/${what}`, undefined, who)).status).toBe(200);
    const draft = await create({ name: `Draft of ${role}` }, who);
    expect((await send('DELETE', `/${draft.id}`, undefined, who)).status).toBe(204);
  });

  test('If-Match of another version is 412', async () => {
    const { id } = await create();
    const headers = { 'if-match': '"99"' };
    expect((await send('PATCH', `/${id}`, { name: 'x' }, { headers })).body.error).toBe('precondition_failed');
  });
});
