import { type EventLog, execute } from '@lyceum/eventlog';
import { type Meta, isRejection } from '@lyceum/kernel';
import { enrollmentDecider, enrollmentStream } from '../enrollments/enrollment.ts';
import type { GrantCommand } from '../grants/grant.deciding.ts';
import type { Item } from '../grants/grant.ts';
import { productAccessDecider, productAccessStream } from '../product-access/product-access.ts';

/** Who is to have something, or to lose it, may not. */
export class GrantRefused extends Error {
  override readonly name = 'GrantRefused';
}

/** A grant that is given or taken back, with the commit that it is written in. */
export interface Granting extends Item {
  readonly tenant: string;
  readonly member_id: string;
  readonly command: Extract<GrantCommand, { readonly type: 'GrantAccess' | 'RevokeAccess' | 'FollowPlan' }>;
  /** RFC 3339 UTC: the time of the commit. */
  readonly at: string;
  readonly meta: Meta;
  /** UUID. Derived for anything that may be repeated. */
  readonly commitId: string;
}

/** The stream of a member's access to an item. */
export const accessStream = ({ item_type, item_id }: Item, member_id: string): string =>
  item_type === 'course' ? enrollmentStream(member_id, item_id) : productAccessStream(member_id, item_id);

/**
 * Gives a member access to an item, or takes back what a source gave, whatever the item is: the same source never grants
 * the same item twice, and a revocation counts also when it comes first. Throws `GrantRefused`.
 */
export async function changeGrant(
  log: EventLog,
  { item_type, item_id, member_id, command, ...rest }: Granting,
): Promise<void> {
  const now = rest.at;
  const commit = { ...rest, stream: accessStream({ item_type, item_id }, member_id) };
  const done =
    item_type === 'course'
      ? await execute(log, enrollmentDecider, {
          ...commit,
          command: { ...command, member_id, course_id: item_id, now },
        })
      : await execute(log, productAccessDecider, {
          ...commit,
          command: { ...command, member_id, product_id: item_id, now },
        });
  if (isRejection(done)) throw new GrantRefused(`${command.type} of ${item_type} ${item_id}: ${done.reason}`);
}
