import { z } from 'zod';
import type { Json } from '../../../upstream/school-api.ts';
import { successBody } from '../api-result.ts';
import { consistencyToken, idempotencyHeader, idempotencyKey } from '../authoring/authoring-access.ts';
import type { Confirmation } from '../confirmation.ts';
import type { ListCursors } from '../list-cursor.ts';
import { listing } from '../list-page.ts';
import { cursor, limit, listOutput, money } from '../reading/result-fields.ts';
import { reading, tool } from '../tool.ts';

const statuses = ['incomplete', 'expired', 'trialing', 'active', 'past_due', 'paused', 'lapsed', 'canceled'] as const;

const id = z.string().min(1).max(64);

/** A subscription in few words. */
const subscriptionIn = (row: Json): Json => {
  const { id: own, member_id, plan_id, status, source, price, current_period_end, renews_at, ends_at } = row;
  return { id: own, member_id, plan_id, status, source, price, current_period_end, renews_at, ends_at };
};

/** Subscriptions, for those who run the school. */
export const listSubscriptions = (cursors: ListCursors) =>
  tool({
    name: 'list_subscriptions',
    title: 'List subscriptions',
    description: 'Who has which membership plan, newest first: what it costs, until when, when it renews.',
    input: z.strictObject({
      status: z.enum(statuses).optional(),
      plan_id: id.optional().meta({ description: 'list_offers gives the ids of plans' }),
      member_id: id.optional(),
      // The service checks it: the pattern of a time would be the longest part of the list of tools.
      renews_before: z.string().max(40).optional().meta({ description: 'RFC 3339' }),
      limit: limit(50, 20),
      cursor,
    }),
    output: listOutput,
    scopes: ['subscriptions:read'],
    isForTokens: true,
    annotations: reading,
    run: listing(
      cursors,
      { tool: 'list_subscriptions', path: '/api/subscriptions', what: 'The list of subscriptions' },
      subscriptionIn,
    ),
  });

const ownSubscription = z.object({
  id: z.string(),
  plan_id: z.string(),
  status: z.string(),
  price: money,
  current_period_end: z.string().nullable(),
  trial_end: z.string().nullable(),
  renews_at: z.string().nullable(),
  ends_at: z.string().nullable(),
  grace_until: z.string().nullable(),
});

/** The membership plans of the person. What they have them do is done on the pages of the school. */
export const listMySubscriptions = (cursors: ListCursors) =>
  tool({
    name: 'list_my_subscriptions',
    title: 'My subscriptions',
    description:
      'The membership plans of the person, newest first: what they cost, until when, when they renew. grace_until: a payment is due.',
    input: z.strictObject({ status: z.enum(statuses).optional(), limit: limit(50, 20), cursor }),
    output: listOutput,
    scopes: ['account:read'],
    isForTokens: true,
    annotations: reading,
    run: listing(
      cursors,
      { tool: 'list_my_subscriptions', path: '/api/account/subscriptions', what: 'The list of your subscriptions' },
      (row) => ownSubscription.parse(row),
    ),
  });

const where = 'list_subscriptions finds what there is.';

/** Ends a subscription. It pays nothing back: money is moved by people. */
export const cancelSubscription = (confirmation: Confirmation) =>
  tool({
    name: 'cancel_subscription',
    title: 'Cancel a subscription',
    description:
      'Ends a subscription with its period, or now, after the person has agreed. Until the period is over it can be taken back. Nothing is paid back.',
    input: z.strictObject({
      id: id.meta({ description: 'Id of the subscription' }),
      at: z.enum(['period_end', 'now']).default('period_end'),
      idempotency_key: idempotencyKey,
      confirm: z.boolean().optional().meta({ description: 'true: the person has agreed; asked for by the tool' }),
    }),
    output: z.strictObject({
      subscription: z.looseObject({ id: z.string(), status: z.string() }),
      consistency_token: consistencyToken,
    }),
    scopes: ['subscriptions:read', 'subscriptions:write'],
    isForTokens: true,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    async run(input, call, context) {
      const path = `/api/subscriptions/${encodeURIComponent(input.id)}`;
      const { member_id } = successBody(await call.api(path), 'The subscription', where);
      const when = input.at === 'now' ? 'now' : 'with its period';
      const question = `Cancel the subscription of ${String(member_id)} ${when}?`;
      const pending = await confirmation.ask(input, question, call, context);
      if (pending) return pending;
      const headers = idempotencyHeader(input.idempotency_key);
      const reply = await call.api(`${path}/cancel`, { method: 'POST', json: { at: input.at }, headers });
      return {
        data: {
          subscription: subscriptionIn(successBody(reply, 'The subscription', where)),
          consistency_token: reply.header('consistency-token') ?? null,
        },
      };
    },
  });
