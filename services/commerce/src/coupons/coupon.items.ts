import { type Ports, Problem } from '@lyceum/web';
import { knownItem } from '../items/known-items.ts';
import type { CouponFields } from './coupon.fields.ts';

type AppliesTo = CouponFields['applies_to'];

/** Refuses items that there are none of. Throws the 422 problem that names them. */
export async function checkItems(
  applies_to: AppliesTo | undefined,
  school: string,
  ports: Pick<Ports, 'documents'>,
): Promise<void> {
  if (applies_to === undefined || applies_to === 'all') return;
  const known = await Promise.all(applies_to.map(({ item_id }) => knownItem(ports, school, item_id)));
  const details = applies_to.flatMap(({ item_type }, index) =>
    known[index]?.item_type === item_type
      ? []
      : [{ path: `applies_to.${index}.item_id`, code: 'unknown_item', message: 'there is no such item with a price' }],
  );
  if (details.length > 0)
    throw new Problem('validation_failed', 'The coupon is for something that there is not', { details });
}
