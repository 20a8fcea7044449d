import { z } from 'zod';
import { isLasting } from './lasting.ts';
import type { View } from './operation.ts';
import { narrow } from './view-filter.ts';

/** What a view gets to see of a body. Throws when the body does not fit its schema. */
export type ReplyFilter = (body: unknown) => unknown;

/** Filters bodies by their schema as a view sees it. What is shown of a lasting document is worked out once. */
export function replyFilter(schema: z.ZodType, view: View): ReplyFilter {
  const narrowed = narrow(schema, view);
  const shown = new WeakMap<object, unknown>();
  return (body) => {
    if (!isLasting(body)) return narrowed.parse(body);
    const known = shown.get(body) ?? narrowed.parse(body);
    shown.set(body, known);
    return known;
  };
}

/** As `replyFilter`, of lists: each thing in one is filtered by itself. */
export function listFilter(schema: z.ZodType, view: View): ReplyFilter {
  const list = schema as z.ZodObject<{ data: z.ZodArray<z.ZodType> }>;
  const around = replyFilter(list.extend({ data: z.array(z.unknown()) }), view);
  const each = replyFilter(list.shape.data.element, view);
  return (body) => {
    const { data, ...rest } = around(body) as { readonly data: readonly unknown[] };
    return { ...rest, data: data.map(each) };
  };
}
