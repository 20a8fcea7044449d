import type { Collection, Condition, Found } from '@lyceum/documents';
import { type Ports, Problem } from '@lyceum/web';

const pageSize = 200;
/** Milliseconds that a person waits for a read model to be up to date. */
const patience = 2_000;

/**
 * All documents that meet the conditions, with everything that was written before the call. Throws
 * `temporarily_unavailable` when the read model is too far behind: what a person revokes must be all there is.
 */
export async function queryAll(
  { log, documents }: Pick<Ports, 'log' | 'documents'>,
  school: string,
  collection: Collection,
  where: readonly Condition[],
): Promise<readonly Found[]> {
  const lane = log.laneOf(school);
  if (!(await documents.waitFor(collection, 'auth', lane, await log.head(lane), patience)))
    throw new Problem('temporarily_unavailable', 'This list is not up to date yet', {
      headers: { 'Retry-After': '1' },
    });
  const found: Found[] = [];
  for (let more = true; more;) {
    const last = found.at(-1);
    const after = last ? { after: { value: null, id: last.id } } : {};
    const page = await documents.query(collection, school, { where, limit: pageSize, ...after });
    found.push(...page.items);
    more = page.more;
  }
  return found;
}
