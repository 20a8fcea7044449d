import { type Call, type Operation, Problem, asOf, operation } from '@lyceum/web';
import { z } from 'zod';
import { hasEachOnce, itemId } from '../checkout/checkout.schema.ts';
import { type PlacedNow, placeOrder, placedBefore } from '../checkout/cart/placing.ts';
import { withoutCardNumber } from '../input/card-number.ts';
import { refuseStrangers } from '../members/standing.ts';
import { orderDocument } from '../orders/api/order.view.ts';
import type { CommercePorts } from '../ports/commerce-ports.ts';
import { giftCart } from './gift.cart.ts';
import { about, reason, school } from './order.operator.ts';

const item = z.strictObject({ item_type: z.enum(['course', 'digital_product']), item_id: itemId });

const giftBody = z
  .strictObject({
    school,
    member_id: z.string().min(1).max(64).optional(),
    email: withoutCardNumber(z.email().max(254))
      .optional()
      .meta({ description: 'Of somebody who need not be a member: whoever is none is invited.' }),
    items: z.array(item).min(1).max(20).refine(hasEachOnce, 'must name each item once'),
    reason,
  })
  .refine(({ member_id, email }) => (member_id === undefined) !== (email === undefined), {
    path: ['email'],
    message: 'must be stated in place of member_id, and not beside it',
  });

type Giving = Pick<Call<{ body: typeof giftBody }>, 'body' | 'school' | 'at' | 'meta' | 'commit'>;

/** Places what is given. Throws the problem why it cannot be. */
async function give(ports: CommercePorts, giving: Giving): Promise<PlacedNow> {
  const { member_id: member, email, items, reason: given } = giving.body;
  const { school, at } = giving;
  if (member !== undefined) {
    await refuseStrangers(ports, school, member);
    if ((await ports.vault.keyStatus(school, member)) === 'erased') throw new Problem('erased');
  }
  const cart = await giftCart(ports, { school, member, at }, items);
  const buyer = { member, email, name: undefined, invoice_to: undefined, language: undefined, secrets: [] };
  return placeOrder(ports, giving, { cart, ...buyer, provider: null, given });
}

/** Gives somebody courses and digital products by an order that costs nothing. */
export const giveItems = (ports: CommercePorts): Operation =>
  operation({
    ...about,
    id: 'giveItems',
    path: '/internal/orders',
    summary: 'Give courses and digital products',
    description:
      'An order of the source comp, to a member or an e-mail address: all that it costs is taken off, it is paid at once, and takes seats as any other. What is not sold at the moment can be given, as long as it is public. An order that the person has not paid and that has one of the items is canceled. A refund of it takes back what was given. Membership plans are given by POST /api/subscriptions.',
    body: giftBody,
    status: 201,
    errors: ['already_owned', 'erased', 'not_found', 'sold_out', 'temporarily_unavailable', 'validation_failed'],
    async handle({ body, at, meta, commit }) {
      const giving = { body, school: body.school, at, meta, commit };
      // Whatever became of the item or the member since: a repetition finds its order.
      const { stream: id, state, ...done } = (await placedBefore(ports, giving)) ?? (await give(ports, giving));
      const headers = { Location: `/api/orders/${id}` };
      return { body: orderDocument(id, state, 'staff'), headers, ...asOf(done) };
    },
  });
