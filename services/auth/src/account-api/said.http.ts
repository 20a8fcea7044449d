import { type Operation, listOf, operation } from '@lyceum/web';
import { z } from 'zod';

const comment = z
  .object({ id: z.string(), object: z.literal('comment'), body: z.string(), created_at: z.iso.datetime() })
  .meta({ id: 'OwnComment', description: 'Something that the person said.' });

const reading = { method: 'GET', area: 'account', scope: 'account:read', anonymous: false, status: 200 } as const;

/** No service of this installation takes comments: a person has none, and clients need not know why. */
const nothing = async () => ({ body: { object: 'list', data: [], has_more: false, next_cursor: null } });

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

/** What a person said; the service that keeps it takes this over. */
export const saidOperations: readonly Operation[] = [listOwnComments];
