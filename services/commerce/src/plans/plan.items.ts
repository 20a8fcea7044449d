import { type Ports, Problem } from '@lyceum/web';
import { knownItem } from '../items/known-items.ts';
import type { StoredGrants } from './plan.events.ts';

/** Refuses to open items that there are none of. Throws the 422 problem that names them. */
export async function checkGranted(
  grants: StoredGrants | undefined,
  school: string,
  ports: Pick<Ports, 'documents'>,
): Promise<void> {
  if (!grants) return;
  const named = (['courses', 'digital_products'] as const).flatMap((kind) => {
    const which = grants[kind];
    return which === 'all' ? [] : which.map((id, index) => ({ id, kind, path: `grants.${kind}.${index}` }));
  });
  const known = await Promise.all(named.map(({ id }) => knownItem(ports, school, id)));
  const types = { courses: 'course', digital_products: 'digital_product' } as const;
  const details = named.flatMap(({ kind, path }, index) =>
    known[index]?.item_type === types[kind]
      ? []
      : [{ path, code: 'unknown_item', message: 'there is no such item that was public or has a price' }],
  );
  if (details.length > 0)
    throw new Problem('validation_failed', 'The plan would open something that there is not', { details });
}
