import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Pool } from 'undici';
import type { WholeSystem } from '../start/whole-system.ts';

/** Schools that are provisioned side by side. */
const connections = 32;

/** A school that differs from others in its slug and its host. */
const school = (index: number): object => ({
  slug: `school-${index}`,
  name: `School ${index}`,
  host: `s${index}.localhost`,
  base_url: `http://s${index}.localhost`,
  currency: 'EUR',
  timezone: 'Europe/Lisbon',
  locale: 'en',
});

/** Provisions schools by the operator's API. Throws when one is refused. */
export async function provisionSchools(
  { operatorUrl }: Pick<WholeSystem, 'operatorUrl'>,
  token: string,
  schools: number,
): Promise<void> {
  const pool = new Pool(operatorUrl, { connections, pipelining: 1 });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  let next = 0;
  const one = async (): Promise<void> => {
    for (let index = next++; index < schools; index = next++) {
      const sent = { method: 'POST', path: '/internal/schools', headers, body: JSON.stringify(school(index)) } as const;
      const { statusCode, body } = await pool.request(sent);
      const text = await body.text();
      if (statusCode !== 201) throw new Error(`school ${index} was answered ${statusCode}: ${text.slice(0, 300)}`);
    }
  };
  await Promise.all(Array.from({ length: connections }, one));
  await pool.close();
}

/** Bytes that the files of a folder take on disk. */
export async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).blocks * 512);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
