import { line, paragraph } from '@lyceum/contracts';
import { z } from 'zod';
import { withoutCardNumber } from '../input/card-number.ts';
import { taxId } from '../input/tax-id.ts';
import { invoiceOfOrder } from '../invoices/invoice.schema.ts';
import { money } from '../money/money.schema.ts';
import { ownOrder } from '../orders/api/order.schema.ts';
import { planKinds } from '../plans/plan.fields.ts';
import { providerNames } from '../payments/payment-provider.ts';

/** The id of something that is sold. */
export const itemId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be an id');

/** Whether a list has nothing twice. */
export const hasEachOnce = (items: readonly { readonly item_id: string }[]): boolean =>
  new Set(items.map(({ item_id }) => item_id)).size === items.length;

const item = z
  .strictObject({
    item_type: z.enum(['course', 'digital_product', 'event', 'membership_plan']),
    item_id: itemId,
  })
  .meta({ id: 'WantedItem', description: 'A membership plan is bought by itself, in an order of its own.' });

/** The header with the secret of an order. */
export const secretHeader = 'Order-Secret';

const items = z
  .array(item)
  .min(1)
  .max(20)
  .refine(hasEachOnce, 'must name each item once')
  .meta({ description: 'What is to be bought, each once.' });

const example = {
  items: [{ item_type: 'course', item_id: 'course_0195a3c2-7d10-7abc-8def-0123456789ab' }],
};

const coupon_code = z
  .string()
  .max(100)
  .optional()
  .meta({ description: 'Why a coupon does not count is not told: coupon_invalid.', example: 'WELCOME10' });

/** What is asked to be reckoned. */
export const quoteBody = z.strictObject({ items, coupon_code }).meta({ id: 'Quote', example });

/** What a buyer wants on the invoice beside their name. */
const invoice_to = z
  .strictObject({
    company: withoutCardNumber(line(1, 200)).optional(),
    address: withoutCardNumber(paragraph(500)).optional(),
    country: z
      .string()
      .regex(/^[A-Z]{2}$/, 'must be two capital letters')
      .optional()
      .meta({ description: 'ISO 3166-1 alpha-2.', example: 'PT' }),
    tax_id: taxId.optional(),
  })
  .meta({ id: 'InvoiceTo', description: 'What is to stand on the invoice beside the name.' });

/** What is asked to be sold. */
export const checkoutBody = z
  .strictObject({
    items,
    coupon_code,
    email: withoutCardNumber(z.email().max(254))
      .optional()
      .meta({ description: 'Of a guest, who needs one; not with a token.' }),
    name: withoutCardNumber(line(1, 200)).optional().meta({ description: 'Of a guest.' }),
    invoice_to: invoice_to.optional(),
    language: withoutCardNumber(
      z
        .string()
        .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'must be a language tag')
        .max(35),
    )
      .optional()
      .meta({
        description: 'BCP 47: in which the buyer is written to. Otherwise in that of the account or of the school.',
        example: 'pt',
      }),
    expected_total: z
      .strictObject({ amount: z.int().min(0), currency: z.string().length(3) })
      .optional()
      .meta({
        description: 'What the person was shown: with another total nothing is sold, and the answer is price_changed.',
      }),
    provider: z.enum(providerNames).optional().meta({ description: 'Who is to take the payment.' }),
  })
  .meta({ id: 'Checkout', example: { ...example, email: 'ada@example.org', name: 'Ada Byron' } });

/** How an order is to be paid now. */
export const retryBody = z
  .strictObject({
    provider: z
      .enum(providerNames)
      .optional()
      .meta({ description: 'Who is to take the payment; that of the payment before when left out.' }),
  })
  .optional()
  .meta({ id: 'PaymentRetry' });

/** What things would cost. */
export const quoteReply = z
  .object({
    object: z.literal('quote'),
    lines: z.array(
      z.object({
        item_type: z.string(),
        item_id: z.string(),
        title: z.string(),
        quantity: z.int(),
        unit_price: money,
        discount: money,
        tax: money,
        total: money,
      }),
    ),
    subtotal: money,
    discount_total: money,
    tax_total: money,
    tax: z.object({ inclusive: z.boolean(), rate_bp: z.int() }).meta({ description: 'Hundredths of a per cent.' }),
    total: money,
    currency: z.string(),
    plan: z
      .object({
        plan_id: z.string(),
        plan_version: z.int(),
        kind: z.enum(planKinds),
        interval: z.enum(['month', 'year']).nullable(),
        interval_count: z.int().nullable().meta({ description: 'Intervals of one payment; null for life.' }),
        trial_days: z.int().meta({ description: 'Days that cost nothing, before the first payment.' }),
        price: money.meta({ description: 'Of one period, without discounts.' }),
        renewal: money.nullable().meta({
          description: 'The next payment after this one, tax and discounts included; null = none follows.',
        }),
        full_renewal: money.nullable().meta({
          description:
            'A payment for which no coupon counts any more, tax included; with a coupon for all, the renewal.',
        }),
      })
      .nullable()
      .meta({ description: 'What is subscribed to; null = no membership plan is bought.' }),
  })
  .meta({ id: 'QuoteReply', description: 'What things would cost now. Nothing is held.' });

/** An order that is to be paid. */
export const checkoutReply = z
  .object({
    object: z.literal('checkout'),
    id: z.string().meta({ description: 'Id of the order.' }),
    order: ownOrder,
    payment: z
      .object({
        id: z.string(),
        provider: z.string(),
        state: z.string(),
        url: z
          .string()
          .nullable()
          .meta({ description: 'Where the person pays; null until the provider takes it, and of a bank transfer.' }),
        reference: z.string().nullable().meta({ description: 'What a bank transfer has to say.' }),
        instructions: z
          .string()
          .nullable()
          .meta({ description: 'Plain text: what a person has to know who pays elsewhere, e.g. by a bank transfer.' }),
      })
      .nullable()
      .meta({ id: 'CheckoutPayment', description: 'null when there is nothing to pay.' }),
    invoices: z
      .array(invoiceOfOrder)
      .meta({ description: 'Issued a moment after the payment and after each refund; nothing free is invoiced.' }),
    order_secret: z
      .string()
      .nullable()
      .meta({
        description: `Reads the order without a token: send it as ${secretHeader}. Given to guests, in the answer to the checkout only.`,
      }),
  })
  .meta({ id: 'CheckoutReply', description: 'An order, and how it is paid.' });
