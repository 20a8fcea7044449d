import { z } from 'zod';
import { isImmutable, markImmutable } from './immutable.ts';
import type { View } from '../operations/operation.ts';
import { narrow } from './view-filter.ts';

/** What a view gets to see of a body. Throws when the body does not fit its schema. */
export type ReplyFilter = (body: unknown) => unknown;

/**
 * Filters bodies by their schema as a view sees it; `named`: what is shown says which view it is. What is shown of a
 * immutable document is worked out once, and lasts as well.
 */
export function replyFilter(schema: z.ZodType, view: View, named = false): ReplyFilter {
  let narrowed: z.ZodType | undefined;
  return memoizedFilter((body) => {
    // Narrowing every reply for every view takes a tenth of a start; most are not asked for in a minute.
    narrowed ??= narrow(schema, view);
    const shown = narrowed.parse(body);
    return named ? withView(shown, view) : shown;
  });
}

function memoizedFilter(show: ReplyFilter): ReplyFilter {
  const shown = new WeakMap<object, unknown>();
  return (body) => {
    if (!isImmutable(body)) return show(body);
    let known = shown.get(body);
    if (known === undefined) {
      known = markImmutable(show(body));
      shown.set(body, known);
    }
    return known;
  };
}

/** As `replyFilter`, of lists: each thing in one is filtered by itself. */
export function listFilter(schema: z.ZodType, view: View, named = false): ReplyFilter {
  const list = schema as z.ZodObject<{ data: z.ZodArray<z.ZodType> }>;
  const around = replyFilter(list.extend({ data: z.array(z.unknown()) }), view, named);
  const each = replyFilter(list.shape.data.element, view);
  return memoizedFilter((body) => {
    const { data, ...rest } = around(body) as { readonly data: readonly unknown[] };
    return { ...rest, data: data.map(each) };
  });
}

/** A body that says which view it is, if it is an object. */
export const withView = (body: unknown, view: View): unknown =>
  typeof body === 'object' && body !== null && !Array.isArray(body) ? { view, ...body } : body;
