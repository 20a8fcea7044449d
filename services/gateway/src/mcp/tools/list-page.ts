import type { Json } from '../../upstream/school-api.ts';
import type { CallContext } from '../server/server-definition.ts';
import { rows, successBody } from './api-result.ts';
import type { ListCursors } from './list-cursor.ts';

/** A list of the services that a tool gives. */
interface Listed {
  /** The name of the tool: its cursors are good for no other, and with the same filters only. */
  readonly tool: string;
  readonly path: string;
  /** What the list is called in a problem. */
  readonly what: string;
}

/** What is asked for: how much, where it goes on, and filters of the service. */
interface Asked {
  readonly cursor?: string | undefined;
  readonly limit: number;
  readonly [filter: string]: string | number | undefined;
}

/** Runs a tool that gives a list of the services page by page, each row in few words. */
export const listing =
  (cursors: ListCursors, { tool, path, what }: Listed, inFewWords: (row: Json) => Json) =>
  async ({ cursor, limit, ...query }: Asked, { api, caller }: CallContext) => {
    const bound = JSON.stringify([caller.school.id, caller.principal?.subject ?? '', tool, query]);
    const { cursor: inner } = cursors.open(cursor, bound);
    const body = successBody(await api(path, { query: { ...query, limit, cursor: inner } }), what);
    const next = body['next_cursor'];
    const next_cursor = typeof next === 'string' ? cursors.seal({ cursor: next, skip: 0 }, bound) : null;
    return { data: { items: rows(body).map(inFewWords), next_cursor } };
  };
