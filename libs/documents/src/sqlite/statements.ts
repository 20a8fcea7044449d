import { BoundedMap } from '@lyceum/kernel';
import type { Database, Statement } from '@lyceum/sqlite';

/** Shapes of queries kept compiled; code has few, but a long list of conditions may come from a client. */
const most = 500;

/** The statements of a database that were used lately, compiled once. */
export class Statements {
  readonly #database: Pick<Database, 'prepare'>;
  readonly #compiled = new BoundedMap<string, Statement>(most);

  constructor(database: Pick<Database, 'prepare'>) {
    this.#database = database;
  }

  of(text: string): Statement {
    const known = this.#compiled.get(text);
    if (known) return known;
    const statement = this.#database.prepare(text);
    this.#compiled.set(text, statement);
    return statement;
  }

  clear(): void {
    this.#compiled.clear();
  }
}
