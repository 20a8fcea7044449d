import type { Database } from '@lyceum/sqlite';

/** Rows that one statement writes: each call of the engine, and each text that it would have to parse, costs more than a row. */
const bulk = 64;

/** Adds rows of numbers to a table, compiled once; those that it has stay. */
export function adding(
  database: Database,
  table: string,
  columns: number,
): (rows: readonly (readonly number[])[]) => void {
  const one = `(${Array(columns).fill('?').join(', ')})`;
  const prepared = (rows: number) =>
    database.prepare(`INSERT OR IGNORE INTO ${table} VALUES ${Array(rows).fill(one).join(', ')}`);
  const [many, single] = [prepared(bulk), prepared(1)];
  return (rows) => {
    const rest = rows.length - (rows.length % bulk);
    for (let at = 0; at < rest; at += bulk) many.run(...rows.slice(at, at + bulk).flat());
    for (const row of rows.slice(rest)) single.run(...row);
  };
}
