import { valueOf } from './school-error.ts';

/** One page of a list. */
interface Page<Item> {
  readonly data: readonly Item[];
  readonly next_cursor: string | null;
}

/**
 * All items of a list, page by page: `for await (const course of pages((cursor) => school.GET('/api/courses', …)))`.
 * Throws `SchoolError` when a page cannot be read.
 */
export async function* pages<Item>(
  read: (cursor: string | undefined) => Promise<{ data?: Page<Item> | undefined; error?: unknown; response: Response }>,
): AsyncGenerator<Item, void, undefined> {
  let cursor: string | undefined;
  do {
    const page = valueOf(await read(cursor));
    yield* page.data;
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
}
