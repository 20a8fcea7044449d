import { heads, keptBy, membersOf, resource } from '@lyceum/service';
import { type StatusTable, accepted, attempt, operation } from '@lyceum/web';
import { z } from 'zod';
import { blankTerms, couponFields, couponTerms } from '../terms/coupon.fields.ts';
import { checkItems } from '../terms/coupon.items.ts';
import { knownSchool } from '../../schools/known-schools.ts';
import type { Batch } from './batch.state.ts';
import { type BatchCode, batchDecider } from './batch.ts';

const { first, last } = membersOf('batch', 'coupon_batch');
const { name, kind, value } = couponFields.shape;
const statuses = ['running', 'completed'] as const;

const upper = (text: string): string => text.trim().toUpperCase();

const batchReply = z
  .object({
    ...first,
    status: z.enum(statuses).meta({ description: 'completed = all its coupons are there.' }),
    count: z.int(),
    made: z.int().meta({ description: 'How many of its coupons are there.' }),
    prefix: z.string(),
    name,
    ...last,
  })
  .meta({
    id: 'CouponBatch',
    description: 'Coupons for one use each, made together; GET /api/coupons?batch_id= lists them.',
  });

const { name: given, ...terms } = couponTerms;

const batchBody = z
  .strictObject({
    count: z.int().min(1).max(1_000),
    prefix: z
      .string()
      .max(60)
      .overwrite(upper)
      .refine((text) => /^([A-Z0-9][A-Z0-9_-]{0,23})?$/.test(text), 'must be at most 24 of A-Z, 0-9, - and _')
      .optional()
      .meta({ description: 'What the codes begin with, before a hyphen and 12 random letters.', maxLength: 60 }),
    name: given,
    kind,
    value,
    ...terms,
  })
  .meta({
    id: 'CreateCouponBatch',
    description: 'Each coupon can be redeemed once.',
    example: { count: 100, prefix: 'FAIR26', kind: 'percent', value: 100 },
  });

/** What each rejection means over HTTP; the error table of the contracts says the same. */
export const batchRejections = {
  not_found: 404,
  invalid_state: 409,
  validation_failed: 422,
} as const satisfies StatusTable<BatchCode>;

/** Batches of coupons, for owners and admins. */
export const batches = resource({
  noun: 'batch',
  path: '/api/coupon_batches',
  area: 'coupons',
  decider: batchDecider,
  present: (state): Batch | null => state,
  statuses: batchRejections,
  access: keptBy(heads, { open: [], refusal: 'Owners and admins make coupons' }),
  reply: batchReply,
  item: batchReply,
  document: ({ seed: _seed, currency: _currency, requested_by: _by, fields, ...batch }, view, id) => ({
    ...batch,
    id,
    object: 'coupon_batch',
    name: fields.name,
    view,
  }),
  list: {
    name: 'coupon_batches',
    version: 1,
    fields: { status: 'text' },
    statuses,
    texts: ({ prefix, fields }) => [prefix, fields.name],
    row: ({ seed: _seed, ...batch }) => batch,
  },
});

const requestBatch = operation({
  id: 'createCouponBatch',
  method: 'POST',
  path: '/api/coupons/batches',
  area: 'coupons',
  scope: 'coupons:write',
  anonymous: false,
  roles: heads,
  summary: 'Create coupons by the hundred',
  description: 'Up to 1,000 with random codes, each for one use. It goes on by itself: the answer says where to look.',
  body: batchBody,
  status: 202,
  reply: batchReply,
  errors: ['temporarily_unavailable'],
  async handle(call, ports) {
    const { count, prefix = '', ...said } = call.body;
    await checkItems(said.applies_to, call.school, ports);
    const { currency } = await knownSchool(ports, call.school);
    const stated = Object.fromEntries(Object.entries(said).filter(([, each]) => each !== undefined));
    const fields = couponFields.parse({ ...blankTerms, name: prefix || 'Batch', ...stated, max_redemptions: 1 });
    const request = { count, prefix, currency, fields, seed: ports.ids.secret(), requested_by: call.meta.actor };
    const id = ports.ids.next('batch');
    const done = accepted(
      await attempt(call, ports, batchDecider, id, { type: 'RequestBatch', request }),
      batchRejections,
    );
    const answer = await batches.written(call, ports, done);
    return { ...answer, headers: { Location: `/api/coupon_batches/${done.stream}` } };
  },
});

/** The operations on batches of coupons. */
export const batchOperations = [
  requestBatch,
  batches.list({
    id: 'listCouponBatches',
    summary: 'List batches of coupons',
    description:
      'For owners and admins, newest first; without a token the list is empty. Follows writes with a short delay: see Consistency-Token.',
    roles: heads,
    searches: 'Beginnings of words of name or prefix; all of them.',
  }),
  batches.get({
    id: 'getCouponBatch',
    summary: 'Read a batch of coupons',
    description: 'How far it is, as of now.',
    roles: heads,
  }),
];
