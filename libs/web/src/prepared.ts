import { z } from 'zod';
import type { Operation, View } from './operation.ts';
import { narrow } from './view-filter.ts';

/** An operation with everything that can be worked out before the first request. */
export interface Prepared {
  readonly operation: Operation;
  readonly params: z.ZodType;
  readonly query: z.ZodType;
  readonly body: z.ZodType | undefined;
  readonly reply: Readonly<Record<View, z.ZodType>> | undefined;
  /** It lists: its query has a cursor. */
  readonly lists: boolean;
  /** Its answers say which view they are. */
  readonly showsView: boolean;
}

const nothing = z.strictObject({});

/** Prepares an operation. What it does not declare, it does not accept. */
export function prepare(operation: Operation): Prepared {
  const { params, query, body, reply } = operation;
  return {
    operation,
    params: params ?? z.object({}),
    query: query ?? nothing,
    body,
    reply: reply && {
      anonymous: narrow(reply, 'anonymous'),
      member: narrow(reply, 'member'),
      staff: narrow(reply, 'staff'),
    },
    lists: query !== undefined && Object.hasOwn(query.shape, 'cursor'),
    showsView: operation.path.startsWith('/api/'),
  };
}
