import { type Operation, listOf, operation } from '@lyceum/web';
import { z } from 'zod';

const order = z
  .object({
    id: z.string(),
    object: z.literal('order'),
    number: z.int(),
    status: z.string(),
    total: z.object({ amount: z.int(), currency: z.string() }),
    placed_at: z.iso.datetime(),
  })
  .meta({ id: 'OwnOrder', description: 'Something that the person bought.' });

const comment = z
  .object({ id: z.string(), object: z.literal('comment'), body: z.string(), created_at: z.iso.datetime() })
  .meta({ id: 'OwnComment', description: 'Something that the person said.' });

const reading = { method: 'GET', area: 'account', scope: 'account:read', anonymous: false, status: 200 } as const;

/** No service of this installation sells or takes comments: a person has none, and clients need not know why. */
const nothing = async () => ({ body: { object: 'list', data: [], has_more: false, next_cursor: null } });

/** Lists the orders of the token's person. */
const listOwnOrders = operation({
  ...reading,
  id: 'listOwnOrders',
  path: '/api/account/orders',
  summary: 'List your orders',
  description: 'Empty: the school does not sell here yet.',
  reply: listOf(order),
  handle: nothing,
});

/** Lists the comments of the token's person. */
const listOwnComments = operation({
  ...reading,
  id: 'listOwnComments',
  path: '/api/account/comments',
  summary: 'List your comments',
  description: 'Empty: there is nothing to comment on here yet.',
  reply: listOf(comment),
  handle: nothing,
});

/** What a person bought and said; the services that keep it take these over. */
export const boughtAndSaidOperations: readonly Operation[] = [listOwnOrders, listOwnComments];
