import { z } from 'zod';
import { withExpansions } from './expansion.ts';
import { KnownQueries } from '../requests/known-queries.ts';
import type { Operation, View } from './operation.ts';
import { type ReplyFilter, listFilter, replyFilter } from '../replies/reply-filter.ts';

/** An operation with everything that can be worked out before the first request. */
export interface Prepared {
  readonly operation: Operation;
  readonly params: z.ZodType;
  readonly queries: KnownQueries;
  readonly body: z.ZodType | undefined;
  readonly reply: Replies | undefined;
  /** The same for a call that has things expanded. */
  readonly expanded: Replies | undefined;
  /** It lists: its query has a cursor. */
  readonly lists: boolean;
  /** Its answers say which view they are. */
  readonly showsView: boolean;
}

/** What each view gets to see of a success. */
type Replies = Readonly<Record<View, ReplyFilter>>;

const nothing = z.strictObject({});

function byView(reply: z.ZodType, lists: boolean, showsView: boolean): Replies {
  const filter = (view: View) => (lists ? listFilter : replyFilter)(reply, view, showsView);
  return { anonymous: filter('anonymous'), member: filter('member'), staff: filter('staff') };
}

/** Prepares an operation. What it does not declare, it does not accept. */
export function prepare(operation: Operation): Prepared {
  const { params, query, body, reply, expands } = operation;
  const lists = isList(operation);
  const showsView = operation.path.startsWith('/api/');
  const wide = expands && ofEach(operation, (thing) => withExpansions(thing, expands));
  return {
    operation,
    params: params ?? z.object({}),
    queries: new KnownQueries(query ?? nothing),
    body,
    reply: reply && byView(reply, lists, showsView),
    expanded: wide && byView(wide, lists, showsView),
    lists,
    showsView,
  };
}

/** Whether an operation lists things, a page at a time. */
export const isList = ({ query }: Pick<Operation, 'query'>): boolean =>
  query !== undefined && Object.hasOwn(query.shape, 'cursor');

/** The reply schema with another one for the thing that it is, or for each thing that it lists. */
export function ofEach(operation: Operation, change: (thing: z.ZodType) => z.ZodType): z.ZodType | undefined {
  const { reply } = operation;
  if (!reply || !isList(operation)) return reply && change(reply);
  const list = reply as z.ZodObject<{ data: z.ZodArray<z.ZodType> }>;
  const { element } = list.shape.data;
  const changed = change(element);
  // As it is, it keeps its name.
  return changed === element ? list : list.extend({ data: z.array(changed) });
}
