import { isFileId } from '@lyceum/contracts';
import { type Decider, type Rejection, isRejection, isoTime, reject, uuidv5 } from '@lyceum/kernel';
import { type GrantCode, type GrantCommand, decideGrants } from '../grants/grant.deciding.ts';
import { hasAccess } from '../grants/grant.ts';
import { type OfferedProduct, isForAll } from '../products/offered-product.ts';
import { type ProductAccessEvent, productAccessEvents } from './product-access.events.ts';
import { type ProductAccessState, evolve } from './product-access.state.ts';

/** Whose access to what a command is about. */
interface Given {
  readonly member_id: string;
  readonly product_id: string;
  /** RFC 3339 UTC. */
  readonly now: string;
}

/** Lets the member download a file; whoever was given nothing takes what is free. */
interface IssueDownload {
  readonly type: 'IssueDownload';
  readonly file_id: string;
  /** As of now. */
  readonly product: OfferedProduct;
  /** The id of what is granted when the product is free. */
  readonly source_id: string;
}

/** What can be asked of the access to a digital product. */
export type ProductAccessCommand = Given & (GrantCommand | IssueDownload);

/** What a command can be rejected for. */
export type ProductAccessCode = GrantCode | 'access_denied' | 'file_not_ready' | 'download_limit';

type Decision = readonly ProductAccessEvent[] | Rejection<ProductAccessCode>;

/** The stream of a member's access to a digital product: its id follows from the two, so there is one. */
export const productAccessStream = (member: string, product: string): string =>
  `product_access_${uuidv5('product-access', member, product)}`;

const decide = (command: ProductAccessCommand, state: ProductAccessState): Decision =>
  command.type === 'IssueDownload' ? issue(command, state) : grantChanges(command, state);

function grantChanges(command: Given & GrantCommand, state: ProductAccessState): Decision {
  const { member_id, product_id } = command;
  const item = { item_type: 'digital_product', item_id: product_id } as const;
  return decideGrants(command, { item, about: { member_id, product_id } }, state?.grants);
}

function issue(command: Given & IssueDownload, state: ProductAccessState): Decision {
  const { member_id, product_id, file_id, product, now } = command;
  const taken = takenBy(command, state);
  if (isRejection(taken)) return taken;
  if (!product.files.some((file) => file.file_id === file_id))
    return reject('not_found', 'The digital product has no such file');
  // Products had files before files were uploaded: of those there are no bytes.
  if (!isFileId(file_id)) return reject('file_not_ready', 'The file was never uploaded');
  // What is granted with it finds no live grant: counting begins anew.
  const used = taken.length > 0 ? 0 : (state?.used ?? 0);
  const { download_limit, link_ttl_s } = product;
  if (download_limit !== null && used >= download_limit)
    return reject('download_limit', `This digital product may be downloaded ${download_limit} times`);
  const expires_at = isoTime(Date.parse(now) + link_ttl_s * 1_000);
  const counted = { n: (state?.downloads ?? 0) + 1, used: used + 1 };
  return [...taken, { type: 'DownloadIssued', data: { member_id, product_id, file_id, ...counted, expires_at } }];
}

/** The grant with which a member takes what is free for all; nothing where there is access already. */
function takenBy(command: Given & IssueDownload, state: ProductAccessState): Decision {
  const { product, source_id, now, member_id, product_id } = command;
  if (hasAccess(state, now)) return [];
  if (isForAll(product)) {
    const free = { source_type: 'free', source_id, starts_at: now, expires_at: null } as const;
    return grantChanges({ type: 'GrantAccess', ...free, member_id, product_id, now }, state);
  }
  return product.status === 'published'
    ? reject('access_denied', 'You have no access to this digital product')
    : reject('not_found', 'There is no such digital product');
}

/** One member's access to one digital product: each download is counted once, and there are no more than the product allows. */
export const productAccessDecider: Decider<
  ProductAccessState,
  ProductAccessCommand,
  ProductAccessEvent,
  ProductAccessCode
> = {
  events: productAccessEvents,
  initial: null,
  snapshot: { version: 2 },
  decide,
  evolve,
};
