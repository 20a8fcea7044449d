import { cursorCodec } from '@lyceum/web';
import { ToolProblem } from './tool.ts';

/** Where a list goes on: the service's own cursor, and how many rows after it are done. */
export interface ListPosition {
  readonly cursor: string | undefined;
  readonly skip: number;
}

/** Turns positions into opaque signed strings and back. `bound`: school, tool and filters, which must not change between pages. */
export interface ListCursors {
  seal(place: ListPosition, bound: string): string;
  /** Throws `ToolProblem` for what is not a cursor of this list. */
  open(cursor: string | undefined, bound: string): ListPosition;
}

/** Places of lists, signed with the secret of the installation. */
export function listCursors(secret: string): ListCursors {
  const codec = cursorCodec(`mcp ${secret}`);
  return {
    seal: ({ cursor = '', skip }, bound) => codec.seal({ value: skip, id: cursor }, bound),
    open(cursor, bound) {
      if (cursor === undefined) return { cursor: undefined, skip: 0 };
      try {
        const { value, id } = codec.open(cursor, bound);
        return { cursor: id === '' ? undefined : id, skip: Number(value) };
      } catch {
        throw new ToolProblem('The cursor is not one of this list with these filters. Call again without a cursor.');
      }
    },
  };
}
