import { describe, expect, test } from '@jest/globals';
import { isRejection } from '@lyceum/kernel';
import { given } from '@lyceum/testkit';
import fc from 'fast-check';
import { type Item, type Source, grantId, hasAccess } from '../grants/grant.ts';
import type { OfferedProduct } from '../products/offered-product.ts';
import type { ProductAccessEvent } from './product-access.events.ts';
import type { ProductAccessState } from './product-access.state.ts';
import { type ProductAccessCommand, productAccessDecider, productAccessStream } from './product-access.ts';

const day = (number: number): string => new Date(Date.UTC(2026, 0, number)).toISOString();
const about = { member_id: 'account_1', product_id: 'product_1' };
const item: Item = { item_type: 'digital_product', item_id: 'product_1' };
const file_id = 'upload_1';
const order: Source = { source_type: 'order_line', source_id: 'line_1' };
const again: Source = { source_type: 'order_line', source_id: 'line_2' };
const staff: Source = { source_type: 'staff', source_id: 'commit_1' };
const free: Source = { source_type: 'free', source_id: 'commit_free' };

const product: OfferedProduct = {
  title: 'Templates',
  status: 'published',
  access: 'paid',
  download_limit: 2,
  link_ttl_s: 3_600,
  files: [
    { file_id, name: 'a.pdf', size: 7, type: 'application/pdf' },
    { file_id: 'demo-file', name: 'b.pdf', size: 7, type: 'application/pdf' },
  ],
  created_by: 'account_2',
};

const granted = (source: Source, starts_at = day(1), expires_at: string | null = null): ProductAccessEvent => ({
  type: 'AccessGranted',
  data: { ...about, grant_id: grantId(source, item), ...source, starts_at, expires_at },
});
const revoked = (source: Source, reason = 'refund'): ProductAccessEvent => ({
  type: 'AccessRevoked',
  data: { ...about, grant_id: grantId(source, item), ...source, reason },
});
const issued = (n: number, expires_at: string, used = n): ProductAccessEvent => ({
  type: 'DownloadIssued',
  data: { ...about, file_id, n, used, expires_at },
});

const grant = (source: Source, now = day(1), expires_at: string | null = null): ProductAccessCommand => ({
  type: 'GrantAccess',
  ...about,
  ...source,
  starts_at: now,
  expires_at,
  now,
});
const revoke = (source: Source, now = day(1)): ProductAccessCommand => ({
  type: 'RevokeAccess',
  ...about,
  ...source,
  reason: 'refund',
  now,
});
const issue = (more: Partial<OfferedProduct> = {}, now = day(2), wanted = file_id): ProductAccessCommand => ({
  type: 'IssueDownload',
  ...about,
  file_id: wanted,
  product: { ...product, ...more },
  source_id: free.source_id,
  now,
});

const hourAfter = (number: number): string => new Date(Date.UTC(2026, 0, number, 1)).toISOString();

describe('a download', () => {
  test('is issued to whoever has access, counted, and lives as long as the product says', () => {
    given(productAccessDecider, granted(order))
      .when(issue())
      .then(issued(1, hourAfter(2)));
    given(productAccessDecider, granted(order), issued(1, hourAfter(2)))
      .when(issue({ link_ttl_s: 60 }))
      .then(issued(2, '2026-01-02T00:01:00.000Z'));
  });

  test('is refused beyond the limit of the product as it is now', () => {
    const both = [granted(order), issued(1, hourAfter(2)), issued(2, hourAfter(2))] as const;
    given(productAccessDecider, ...both)
      .when(issue())
      .rejected('download_limit');
    given(productAccessDecider, ...both)
      .when(issue({ download_limit: 3 }))
      .then(issued(3, hourAfter(2)));
    given(productAccessDecider, ...both)
      .when(issue({ download_limit: null }))
      .then(issued(3, hourAfter(2)));
    given(productAccessDecider, ...both)
      .when(issue({ download_limit: 1 }))
      .rejected('download_limit');
  });

  test('is not given back by another grant beside one that is live: the limit is each person’s', () =>
    given(productAccessDecider, granted(order), issued(1, hourAfter(2)), issued(2, hourAfter(2)), granted(staff))
      .when(issue())
      .rejected('download_limit'));

  test('is counted anew for whoever had lost access and bought again', () => {
    const spent = [issued(1, hourAfter(2)), issued(2, hourAfter(2))] as const;
    const refunded = [granted(order), ...spent, revoked(order)] as const;
    given(productAccessDecider, ...refunded, granted(again))
      .when(issue())
      .then(issued(3, hourAfter(2), 1));
    given(productAccessDecider, ...refunded, granted(again), issued(3, hourAfter(2), 1), issued(4, hourAfter(2), 2))
      .when(issue())
      .rejected('download_limit');
    // By time: events of `given` are of the fifth day, 8 o'clock.
    given(productAccessDecider, granted(order, day(1), day(5)), ...spent, granted(again))
      .when(issue())
      .then(issued(3, hourAfter(2), 1));
    given(productAccessDecider, granted(order, day(1), day(6)), ...spent, granted(again))
      .when(issue())
      .rejected('download_limit');
    // What is taken back before it came gives nothing back.
    given(productAccessDecider, granted(order), ...spent, revoked(again))
      .when(issue())
      .rejected('download_limit');
  });

  test('of what became free is counted anew for whoever had lost access', () =>
    given(productAccessDecider, granted(order), issued(1, hourAfter(2)), issued(2, hourAfter(2)), revoked(order))
      .when(issue({ access: 'free' }))
      .then(granted(free, day(2)), issued(3, hourAfter(2), 1)));

  test('of what is free takes it, once', () => {
    given(productAccessDecider)
      .when(issue({ access: 'free' }))
      .then(granted(free, day(2)), issued(1, hourAfter(2)));
    given(productAccessDecider, granted(free), issued(1, hourAfter(2)))
      .when(issue({ access: 'free' }))
      .then(issued(2, hourAfter(2)));
  });

  test('is nobody’s who has no access: of a public product they know, of any other they do not', () => {
    given(productAccessDecider).when(issue()).rejected('access_denied');
    given(productAccessDecider)
      .when(issue({ access: 'members' }))
      .rejected('access_denied');
    for (const status of ['draft', 'unpublished', 'archived'] as const)
      given(productAccessDecider)
        .when(issue({ status, access: 'free' }))
        .rejected('not_found');
    given(productAccessDecider, granted(order), revoked(order)).when(issue()).rejected('access_denied');
    given(productAccessDecider, granted(order, day(1), day(5)))
      .when(issue({}, day(5)))
      .rejected('access_denied');
  });

  test('stays possible for those who have access when the product is public no longer', () => {
    for (const status of ['unpublished', 'archived'] as const)
      given(productAccessDecider, granted(order))
        .when(issue({ status }))
        .then(issued(1, hourAfter(2)));
  });

  test('is one of a file of the product whose bytes there are', () => {
    given(productAccessDecider, granted(order))
      .when(issue({}, day(2), 'upload_2'))
      .rejected('not_found');
    given(productAccessDecider, granted(order))
      .when(issue({}, day(2), 'demo-file'))
      .rejected('file_not_ready');
    given(productAccessDecider)
      .when(issue({ access: 'free' }, day(2), 'upload_2'))
      .rejected('not_found');
  });
});

test('grants are those of a set: a refund that comes first counts, and what is granted again is no other grant', () => {
  given(productAccessDecider).when(revoke(order)).then(revoked(order));
  given(productAccessDecider, revoked(order)).when(grant(order)).unchanged();
  given(productAccessDecider, granted(order))
    .when(grant(order, day(2)))
    .unchanged();
  given(productAccessDecider, granted(order), revoked(order))
    .when(grant({ ...order, source_id: 'line_2' }))
    .then(granted({ ...order, source_id: 'line_2' }));
});

test('streams and ids of grants follow from what they are of, and are what they always were', () => {
  expect(productAccessStream('account_1', 'product_1')).toMatch(/^product_access_[0-9a-f-]{36}$/);
  expect(productAccessStream('a', 'bc')).not.toBe(productAccessStream('ab', 'c'));
  expect(grantId(staff, { item_type: 'course', item_id: 'product_1' })).not.toBe(grantId(staff, item));
  // As stored events of courses have it.
  expect(grantId(staff, { item_type: 'course', item_id: 'course_1' })).toBe('174963fd-1357-5160-8e27-336013715e7b');
});

test('10,000 histories: no download without access or beyond the limit since there was none, each counted once', () => {
  const step = fc.record({
    what: fc.constantFrom('grant', 'revoke', 'issue', 'issue'),
    source: fc.constantFrom<Source>(order, { source_type: 'subscription', source_id: 'sub_1' }),
    ends: fc.constantFrom(null, day(4), day(9)),
    limit: fc.constantFrom(null, 1, 3),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 14 }), (steps) => {
      let [state, version, downloads, used] = [null as ProductAccessState, 0, 0, 0];
      return steps.every(({ what, source, ends, limit }, at) => {
        const now = day(at + 1);
        const commands = {
          grant: grant(source, now, ends),
          revoke: revoke(source, now),
          issue: issue({ download_limit: limit }, now),
        };
        const mayDownload = hasAccess(state, now) && (limit === null || used < limit);
        const hadAccess = hasAccess(state, now);
        const decision = productAccessDecider.decide(commands[what as keyof typeof commands], state);
        if (what === 'issue' && isRejection(decision) === mayDownload) return false;
        for (const event of isRejection(decision) ? [] : decision)
          state = productAccessDecider.evolve(state, event, { at: now, version: (version += 1) });
        if (what === 'grant' && !isRejection(decision) && decision.length > 0 && !hadAccess) used = 0;
        const more = what === 'issue' && mayDownload ? 1 : 0;
        [downloads, used] = [downloads + more, used + more];
        return (state?.downloads ?? 0) === downloads && (state?.used ?? 0) === used;
      });
    }),
    { numRuns: 10_000 },
  );
});
