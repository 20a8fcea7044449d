import type { Bindable, Database } from './database.ts';

/**
 * Runs `insert` (an INSERT up to its VALUES, and what follows them) for rows of as many columns in their order, `bulk` of
 * them with one statement: each call of the engine, and each text that it would have to parse, costs more than a row.
 */
export function adding(
  database: Database,
  insert: string,
  columns: number,
  bulk: number,
  rest = '',
): (rows: readonly (readonly Bindable[])[]) => void {
  const one = `(${Array(columns).fill('?').join(', ')})`;
  const prepared = (rows: number) => database.prepare(`${insert} VALUES ${Array(rows).fill(one).join(', ')} ${rest}`);
  const [many, single] = [prepared(bulk), prepared(1)];
  const values: Bindable[] = Array(columns * bulk).fill(null);
  return (rows) => {
    const whole = rows.length - (rows.length % bulk);
    for (let at = 0; at < whole; at += bulk) {
      for (let place = 0; place < values.length; place += 1)
        values[place] = rows[at + Math.floor(place / columns)]![place % columns]!;
      many.run(...values);
    }
    for (const row of rows.slice(whole)) single.run(...row);
  };
}
