import { BoundedMap, shared } from '@lyceum/kernel';
import type { z } from 'zod';
import { parseQuery, queryValues } from './parse.ts';

/** A query string as an operation understands it. */
interface ReadQuery {
  /** The parameters as they were sent. */
  readonly values: Readonly<Record<string, string>>;
  /** What the schema makes of them. */
  readonly query: unknown;
}

/** Texts that are kept, and the characters of the longest. */
const [most, longest] = [100, 100];

/** Reads the queries of one operation, those that are asked again and again once. What they mean hangs on nothing else. */
export class KnownQueries {
  readonly #schema: z.ZodType;
  readonly #known = new BoundedMap<string, ReadQuery>(most);

  constructor(schema: z.ZodType) {
    this.#schema = schema;
  }

  /** Throws what `parseQuery` and `queryValues` throw. */
  read(text: string): ReadQuery {
    const known = this.#known.get(text);
    if (known) return known;
    const values = queryValues(text);
    const read = shared({ values, query: parseQuery(this.#schema, values) });
    if (text.length <= longest) this.#known.set(text, read);
    return read;
  }
}
