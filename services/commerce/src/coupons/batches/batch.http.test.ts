import { describe, expect, test } from '@jest/globals';
import type { Role } from '@lyceum/contracts';
import { type EventLog, Unavailable, forwarding } from '@lyceum/eventlog';
import { found } from '@lyceum/testkit';
import { enginesOf } from '@lyceum/testkit-service';
import { disagreements } from '@lyceum/web';
import { commerce as commerceModule } from '../../module.ts';
import { type Commerce, startCommerce } from '../../testing.ts';
import { batchOperations, batchRejections } from './batch.http.ts';

const path = '/api/coupons/batches';
const body = { count: 60, prefix: 'fair26', kind: 'percent', value: 100, ends_at: '2030-01-01T00:00:00Z' };

const over = (commerce: Commerce, id: string) =>
  found(async () => {
    const { body: batch } = await commerce.call('GET', `/api/coupon_batches/${id}`);
    return batch.status === 'completed' ? batch : undefined;
  }, 'the end of the batch');

async function couponsOf(commerce: Commerce, id: string) {
  await commerce.settled();
  const all: { code: string; max_redemptions: number; batch_id: string }[] = [];
  for (let cursor = ''; ;) {
    const more = cursor === '' ? '' : `&cursor=${cursor}`;
    const { body: page } = await commerce.call('GET', `/api/coupons?limit=100&batch_id=${id}${more}`);
    all.push(...page.data);
    if (!page.next_cursor) return all;
    cursor = page.next_cursor;
  }
}

/** The log of a process that ends with its `last`th write: written, where `isWritten`, and never told. */
function mortal(log: EventLog, last: number, isWritten: boolean): { log: EventLog; died: Promise<void> } {
  let writes = 0;
  let die = (): void => undefined;
  const died = new Promise<void>((resolve) => (die = resolve));
  return {
    died,
    log: forwarding(log, {
      async append(append) {
        writes += 1;
        if (writes < last) return log.append(append);
        if (writes === last && isWritten) await log.append(append);
        die();
        throw new Unavailable('the process is dead');
      },
    }),
  };
}

describe('a batch of coupons', () => {
  test('rejects with the statuses of the error table', () => expect(disagreements(batchRejections)).toEqual([]));

  test('is made by itself: as many as were asked for, each for one use, with codes of their own', async () => {
    const commerce = await startCommerce();
    try {
      const got = await commerce.call('POST', path, { body });
      expect([got.status, got.headers.get('location')]).toEqual([202, `/api/coupon_batches/${got.body.id}`]);
      expect(got.body).toMatchObject({
        object: 'coupon_batch',
        status: 'running',
        count: 60,
        made: 0,
        prefix: 'FAIR26',
      });
      expect(got.body).not.toHaveProperty('seed');
      expect(await over(commerce, got.body.id)).toMatchObject({ made: 60, name: 'FAIR26' });
      const coupons = await couponsOf(commerce, got.body.id);
      expect(new Set(coupons.map(({ code }) => code)).size).toBe(60);
      for (const coupon of coupons)
        expect(coupon).toMatchObject({
          max_redemptions: 1,
          batch_id: got.body.id,
          ends_at: '2030-01-01T00:00:00.000Z',
        });
      const listed = await commerce.call('GET', '/api/coupon_batches?status=completed');
      expect(listed.body.data.map(({ id }: { id: string }) => id)).toEqual([got.body.id]);
      expect(JSON.stringify(listed.body)).not.toContain('seed');
    } finally {
      await commerce.close();
    }
  });

  test('is refused with terms that a coupon may not have, and with too many', async () => {
    const commerce = await startCommerce();
    try {
      for (const wrong of [{ value: 101 }, { count: 0 }, { count: 1_001 }, { prefix: 'ä' }, { duration: 'repeating' }])
        expect((await commerce.call('POST', path, { body: { ...body, ...wrong } })).status).toBe(422);
      const key = { 'idempotency-key': 'one-batch' };
      const [one, again] = [
        await commerce.call('POST', path, { body: { ...body, count: 2 }, headers: key }),
        await commerce.call('POST', path, { body: { ...body, count: 2 }, headers: key }),
      ];
      expect([again.status, again.body.id]).toEqual([202, one.body.id]);
      await over(commerce, one.body.id);
      expect(await couponsOf(commerce, one.body.id)).toHaveLength(2);
    } finally {
      await commerce.close();
    }
  });

  test('is nobody’s but owners’ and admins’', async () => {
    const commerce = await startCommerce();
    try {
      const { body: made } = await commerce.call('POST', path, { body: { ...body, count: 1 } });
      await over(commerce, made.id);
      await commerce.settled();
      const outcome = async (
        as: 'anonymous' | { role: Role; subject: string; scopes: string[] },
        school = 'school_1',
      ) =>
        Promise.all(
          batchOperations.map(async ({ method, path: template, body: schema }) => {
            const example = schema?.meta()?.['example'];
            const sent = { as, school, ...(example ? { body: example } : {}) };
            const got = await commerce.call(method, template.replace('{batch}', made.id), sent);
            return got.body.data ? `${got.status} ${got.body.data.length}` : `${got.status} ${got.body.error ?? ''}`;
          }),
        );
      const as = (role: Role, scopes = ['coupons:read', 'coupons:write']) => ({ role, subject: `acc_${role}`, scopes });
      expect(await outcome('anonymous')).toEqual(['403 access_denied', '200 0', '404 not_found']);
      for (const role of ['member', 'lecturer'] as const) {
        expect(await outcome(as(role))).toEqual(['403 access_denied', '403 access_denied', '403 access_denied']);
        const lacks = '403 insufficient_scope';
        expect(await outcome(as(role, ['courses:read']))).toEqual([lacks, lacks, lacks]);
      }
      // The list may have the batch that is made beside it.
      expect(await outcome(as('owner'), 'school_2')).toEqual([
        '202 ',
        expect.stringMatching(/^200 [01]$/),
        '404 not_found',
      ]);
      for (const role of ['owner', 'admin'] as const) {
        const [created, , read] = await outcome(as(role));
        expect([created, read]).toEqual(['202 ', '200 ']);
      }
    } finally {
      await commerce.close();
    }
  });

  // The request is the first write: around each step of 25 coupons, and between two coupons.
  test.each([
    ['before', false],
    ['after', true],
  ])('whose process dies %s any write has all its coupons once in the end', async (_, isWritten) => {
    for (const last of [2, 3, 14, 26, 27, 28, 53, 60, 63]) {
      const engines = enginesOf(commerceModule);
      const dying = mortal(engines.log, last, isWritten);
      const first = await startCommerce({ engines: { ...engines, log: dying.log } });
      const { body: made } = await first.call('POST', path, { body });
      await Promise.race([dying.died, over(first, made.id)]);
      await first.close();
      const second = await startCommerce({ engines });
      try {
        expect([last, await over(second, made.id)]).toMatchObject([last, { made: 60, status: 'completed' }]);
        expect(await couponsOf(second, made.id)).toHaveLength(60);
      } finally {
        await second.close();
      }
    }
  });
});
