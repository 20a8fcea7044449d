import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TokenClaims } from '@lyceum/oauth/testing';
import type { Got, Sent } from '@lyceum/testkit-service';
import { type ContentUnderTest, startContent } from '../testing.ts';

let service: ContentUnderTest;
beforeAll(async () => void (service = await startContent()));
afterAll(() => service.close());

const body = [{ type: 'paragraph', text: [{ text: 'For some' }] }];
const memberOf = (subject: string): TokenClaims => ({ role: 'member', subject, scopes: ['posts:read'] });

async function published(
  visibility: string,
  plan_ids: readonly string[] = [],
  tags: readonly string[] = [],
): Promise<string> {
  const made = { title: 'A post', excerpt: 'For all', body, visibility, plan_ids, tags };
  const { id } = (await service.call('POST', '/api/posts', { body: made })).body;
  expect((await service.call('POST', `/api/posts/${id}/publish`)).status).toBe(200);
  return `/api/posts/${id}`;
}

async function read(at: string, as: Sent['as']) {
  const got = await service.call('GET', at, as ? { as } : {});
  const { locked, unlock, excerpt } = got.body;
  expect(excerpt).toBe('For all');
  return { locked, unlock, body: got.body.body };
}

const open = { locked: false, unlock: [], body };
const locked = (...unlock: string[]) => ({ locked: true, unlock, body: undefined });

/** The commerce service publishes something about a subscription of a member. */
async function subscription(type: string, member_id: string, plan_id: string, more: object = {}, school = 'school_1') {
  const about = { subscription_id: `subscription_${member_id}`, member_id, plan_id, plan_version: 1, access: 1 };
  await service.publish('commerce', { type, data: { ...about, ...more }, school });
  await service.settled();
}

const grants = (plan_id: string, posts: boolean, keep_existing = false) =>
  service.publish('commerce', {
    type: 'PlanGrantsChanged',
    data: {
      plan_id,
      plan_version: 1,
      grants: { courses: [], digital_products: [], posts, event_discount_percent: 0 },
      added: [],
      removed: [],
      keep_existing,
    },
  });

describe('the text of a post', () => {
  test('is everybody’s, members’, or of those who have a plan', async () => {
    const ana = memberOf('acc_ana');
    const lecturer: TokenClaims = { role: 'lecturer', subject: 'acc_lecturer' };
    for (const [at, anonymous, member] of [
      [await published('public'), open, open],
      [await published('members'), locked(), open],
      [await published('plans', ['plan_a', 'plan_b']), locked('plan_a', 'plan_b'), locked('plan_a', 'plan_b')],
    ] as const) {
      expect(await read(at, 'anonymous')).toEqual(anonymous);
      expect(await read(at, ana)).toEqual(member);
      expect(await read(at, lecturer)).toEqual(member);
      expect(await read(at, undefined)).toEqual(open);
    }
  });

  test('opens with one of its plans for as long as a subscription gives access', async () => {
    const at = await published('plans', ['plan_a']);
    const [ana, ben] = [memberOf('acc_a1'), memberOf('acc_b1')];
    await subscription('SubscriptionStarted', 'acc_a1', 'plan_a');
    await subscription('SubscriptionStarted', 'acc_b1', 'plan_other');
    expect(await read(at, ana)).toEqual(open);
    expect(await read(at, ben)).toEqual(locked('plan_a'));
    await subscription('SubscriptionPaused', 'acc_a1', 'plan_a');
    expect(await read(at, ana)).toEqual(locked('plan_a'));
    await subscription('SubscriptionResumed', 'acc_a1', 'plan_a', { access: 2 });
    expect(await read(at, ana)).toEqual(open);
    await subscription('SubscriptionPlanChanged', 'acc_a1', 'plan_other', {
      from_plan_id: 'plan_a',
      access_before: 2,
      access: 3,
    });
    expect(await read(at, ana)).toEqual(locked('plan_a'));
    await subscription('SubscriptionCanceled', 'acc_b1', 'plan_other');
    expect(await read(at, ben)).toEqual(locked('plan_a'));
  });

  test('opens with every plan that opens posts where it names none, and tells which of them can be bought', async () => {
    const at = await published('plans');
    const cleo = memberOf('acc_cleo');
    await grants('plan_posts', true);
    await grants('plan_hidden', true);
    await grants('plan_courses', false);
    await service.publish('commerce', { type: 'PlanShown', data: { plan_id: 'plan_posts' } });
    await subscription('SubscriptionStarted', 'acc_cleo', 'plan_courses');
    expect(await read(at, cleo)).toEqual(locked('plan_posts'));
    await subscription('SubscriptionStarted', 'acc_dora', 'plan_hidden');
    expect(await read(at, memberOf('acc_dora'))).toEqual(open);
    await grants('plan_hidden', false, true);
    await subscription('SubscriptionStarted', 'acc_late', 'plan_hidden');
    expect(await read(at, memberOf('acc_dora'))).toEqual(open);
    expect(await read(at, memberOf('acc_late'))).toEqual(locked('plan_posts'));
    await service.publish('commerce', { type: 'PlanRetired', data: { plan_id: 'plan_posts' } });
    await service.settled();
    expect(await read(at, 'anonymous')).toEqual(locked());
  });

  test('opens with no plan of another school, and not for an erased person’s row', async () => {
    const at = await published('plans', ['plan_z']);
    await subscription('SubscriptionStarted', 'acc_far', 'plan_z', {}, 'school_2');
    expect(await read(at, memberOf('acc_far'))).toEqual(locked('plan_z'));
    await subscription('SubscriptionStarted', 'acc_gone', 'plan_z');
    expect(await read(at, memberOf('acc_gone'))).toEqual(open);
    await service.publish('commerce', { type: 'SubjectErased', data: { subject: 'acc_gone' } });
    await service.settled();
    expect(await read(at, memberOf('acc_gone'))).toEqual(locked('plan_z'));
  });

  test('is as locked in lists as it is alone, for everybody', async () => {
    const tag = `locks ${Date.now()}`;
    const paths: string[] = [];
    for (const [visibility, plans] of [
      ['public', []],
      ['members', []],
      ['plans', ['plan_l']],
      ['plans', []],
    ] as const)
      paths.push(await published(visibility, plans, [tag]));
    await grants('plan_any', true);
    await service.publish('commerce', { type: 'PlanShown', data: { plan_id: 'plan_any' } });
    await subscription('SubscriptionStarted', 'acc_named', 'plan_l');
    await subscription('SubscriptionStarted', 'acc_any', 'plan_any');
    const seen: Record<string, unknown> = {};
    for (const [who, as] of Object.entries({
      anonymous: 'anonymous',
      member: memberOf('acc_none'),
      lecturer: { role: 'lecturer', subject: 'acc_lecturer' },
      named: memberOf('acc_named'),
      any: memberOf('acc_any'),
      owner: undefined,
    } as const)) {
      const { body: list } = await service.call('GET', `/api/posts?tag=${encodeURIComponent(tag)}`, as ? { as } : {});
      expect(list.data).toHaveLength(paths.length);
      const inList = new Map(list.data.map(({ id, locked, unlock }: Got['body']) => [id, { locked, unlock }]));
      const alone = await Promise.all(paths.map((path) => read(path, as)));
      expect(paths.map((path) => inList.get(path.split('/').at(-1)))).toEqual(
        alone.map(({ locked, unlock }) => ({ locked, unlock })),
      );
      for (const post of list.data) expect(post).not.toHaveProperty('body');
      seen[who] = alone.map((each) => (each.locked ? each.unlock : 'open'));
    }
    expect(seen).toEqual({
      anonymous: ['open', [], ['plan_l'], ['plan_any']],
      member: ['open', 'open', ['plan_l'], ['plan_any']],
      lecturer: ['open', 'open', ['plan_l'], ['plan_any']],
      named: ['open', 'open', 'open', ['plan_any']],
      any: ['open', 'open', ['plan_l'], 'open'],
      owner: ['open', 'open', 'open', 'open'],
    });
  });

  test('has no ETag for members, and none where the plans that open it change without it', async () => {
    const [named, any] = [await published('plans', ['plan_a']), await published('plans')];
    const etag = async (at: string, as: Sent['as']) =>
      (await service.call('GET', at, as ? { as } : {})).headers.get('etag');
    expect(await etag(named, memberOf('acc_tag'))).toBeNull();
    expect(await etag(any, 'anonymous')).toBeNull();
    expect(await etag(named, 'anonymous')).not.toBeNull();
    expect(await etag(named, undefined)).not.toBeNull();
  });
});
