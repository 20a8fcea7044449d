import { heads, keptBy, resource } from '@lyceum/service';
import { type StatusTable, given } from '@lyceum/web';
import { z } from 'zod';
import { knownSchool } from '../schools/known-schools.ts';
import { couponCode, couponStatuses } from './terms/coupon.fields.ts';
import { changesOf, newCoupon } from './coupon.input.ts';
import { checkItems } from './terms/coupon.items.ts';
import { changeCouponBody, couponReply, createCouponBody } from './coupon.schema.ts';
import type { Coupon } from './coupon.state.ts';
import { type CouponCode, couponDecider } from './coupon.ts';
import { couponAt, couponDocument } from './coupon.view.ts';

/** What each rejection means over HTTP; the error table of the contracts says the same. */
export const couponRejections = {
  not_found: 404,
  code_taken: 409,
  redeemed: 409,
  invalid_state: 409,
  coupon_invalid: 409,
  validation_failed: 422,
} as const satisfies StatusTable<CouponCode>;

/** Coupons: owners and admins see and change all, nobody else learns that there are any. */
export const coupons = resource({
  noun: 'coupon',
  path: '/api/coupons',
  area: 'coupons',
  decider: couponDecider,
  present: (state): Coupon | null => state,
  statuses: couponRejections,
  access: keptBy(heads, { open: [], refusal: 'Owners and admins change coupons' }),
  reply: couponReply,
  item: couponReply,
  document: couponDocument,
  timely: couponAt,
  list: {
    name: 'coupons',
    version: 1,
    fields: { status: 'text', code: 'text', batch_id: 'text' },
    statuses: couponStatuses,
    texts: ({ name, code }) => [name, code],
  },
});

/** The operations on coupons. */
export const couponOperations = [
  coupons.list({
    id: 'listCoupons',
    summary: 'List coupons',
    description:
      'For owners and admins; archived ones only when `status` asks for them. Without a token the list is empty. Newest first. Follows writes with a short delay: see Consistency-Token.',
    roles: heads,
    filters: {
      code: couponCode.optional(),
      batch_id: z
        .string()
        .regex(/^batch_[0-9a-f-]{36}$/)
        .optional()
        .meta({ description: 'Those of a batch.' }),
    },
    conditions: ({ code, batch_id }) => [
      ...given(code, (is) => ({ field: 'code', is })),
      ...given(batch_id, (is) => ({ field: 'batch_id', is })),
    ],
    searches: 'Beginnings of words of name or code; all of them.',
  }),

  coupons.create({
    id: 'createCoupon',
    summary: 'Create a coupon',
    description: 'Active at once. Codes are trimmed and kept in upper case.',
    body: createCouponBody,
    errors: ['code_taken', 'temporarily_unavailable'],
    async command({ school, body, meta }, ports) {
      await checkItems(body.applies_to, school, ports);
      const { currency } = await knownSchool(ports, school);
      const made = { fields: newCoupon(body), by: meta.actor, currency, code: body.code };
      return () => ({ type: 'CreateCoupon', ...made });
    },
  }),

  coupons.get({
    id: 'getCoupon',
    summary: 'Read a coupon',
    description: 'By id, as of now.',
    roles: heads,
  }),

  coupons.change({
    id: 'changeCoupon',
    summary: 'Change a coupon',
    description:
      'A JSON Merge Patch. Once it was redeemed, its code, kind and value stay, and its limit does not go below what is used.',
    body: changeCouponBody,
    errors: ['code_taken', 'redeemed', 'invalid_state', 'temporarily_unavailable'],
    async command({ school, body, at }, ports) {
      await checkItems(body.applies_to, school, ports);
      const { currency } = await knownSchool(ports, school);
      return { type: 'ChangeCoupon', changes: changesOf(body), currency, now: at };
    },
  }),

  coupons.remove({
    id: 'deleteCoupon',
    summary: 'Delete a coupon',
    description: 'Only one that was never redeemed and that no order is using; others are archived.',
    errors: ['redeemed', 'invalid_state'],
    command: ({ at }) => ({ type: 'DeleteCoupon', now: at }),
  }),

  coupons.change({
    id: 'pauseCoupon',
    method: 'POST',
    below: '/pause',
    summary: 'Pause a coupon',
    description: 'It does not count until it is activated. Orders that are being paid for keep it.',
    errors: ['invalid_state'],
    command: () => ({ type: 'PauseCoupon' }),
  }),

  coupons.change({
    id: 'activateCoupon',
    method: 'POST',
    below: '/activate',
    summary: 'Activate a coupon',
    description: 'A paused coupon counts again.',
    errors: ['invalid_state'],
    command: () => ({ type: 'ActivateCoupon' }),
  }),

  coupons.change({
    id: 'archiveCoupon',
    method: 'POST',
    below: '/archive',
    summary: 'Archive a coupon',
    description: 'Ends it for good, and hides it from lists. Its code stays taken.',
    command: () => ({ type: 'ArchiveCoupon' }),
  }),
];
