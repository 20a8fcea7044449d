import { fold } from '@lyceum/eventlog';
import { type Ports, Problem } from '@lyceum/web';
import { knownItem } from '../../items/known-items.ts';
import { planDecider } from '../../plans/plan.ts';
import type { CouponFields } from './coupon.fields.ts';

type AppliesTo = CouponFields['applies_to'];

type Item = Exclude<AppliesTo, 'all'>[number];
type ItemPorts = Pick<Ports, 'documents' | 'log'>;

async function isThere({ item_type, item_id }: Item, school: string, ports: ItemPorts): Promise<boolean> {
  if (item_type !== 'membership_plan') return (await knownItem(ports, school, item_id))?.item_type === item_type;
  // Of another kind of id the stream is another kind of thing.
  return item_id.startsWith('plan_') && (await fold(ports.log, planDecider, school, item_id)).state !== null;
}

/** Refuses items that there are none of. Throws the 422 problem that names them. */
export async function checkItems(applies_to: AppliesTo | undefined, school: string, ports: ItemPorts): Promise<void> {
  if (applies_to === undefined || applies_to === 'all') return;
  const known = await Promise.all(applies_to.map((item) => isThere(item, school, ports)));
  const details = applies_to.flatMap((_item, index) =>
    known[index]
      ? []
      : [{ path: `applies_to.${index}.item_id`, code: 'unknown_item', message: 'there is no such item with a price' }],
  );
  if (details.length > 0)
    throw new Problem('validation_failed', 'The coupon is for something that there is not', { details });
}
