import type { FactOf } from '@lyceum/contracts';
import {
  type Collection,
  type Document,
  type Documents,
  type Incoming,
  type Projection,
  rowAs,
} from '@lyceum/documents';
import type { MemberAsking } from '@lyceum/service';
import { type KnownGrants, accessSince, grantsAfter, isGrantFact } from '../entitlement/known-grants.ts';
import type { Product } from './product.state.ts';

/** Who has access to which digital product, and how often they downloaded of it, as the learning service publishes it. */
const access: Collection = { name: 'product-access', version: 1, fields: { member_id: 'text' } };

interface AccessRow {
  readonly member_id: string;
  readonly grants: KnownGrants;
  /** Since the member last had no access, as the limit of the product counts. */
  readonly used: number;
}

type DownloadFact = Extract<FactOf<'learning'>, { type: 'DownloadIssued' }>;

const isDownloadFact = (
  fact: Pick<Incoming, 'type' | 'data'>,
): fact is Pick<Incoming, 'type' | 'data'> & DownloadFact => fact.type === 'DownloadIssued';

const heldBy = (member: string, product: string): string => `${member}/${product}`;

/**
 * Keeps the grants of each member to each digital product, and the number of their downloads: a grant that finds none that is
 * live begins it anew, as it does where downloads are issued.
 */
export const productAccessProjection: Projection = {
  collection: access,
  key(fact) {
    if (isDownloadFact(fact)) return heldBy(fact.data.member_id, fact.data.product_id);
    if (!isGrantFact(fact) || fact.data.item_type !== 'digital_product') return undefined;
    return heldBy(fact.data.member_id, fact.data.item_id);
  },
  project(fact, before): Document | null {
    const { grants = {}, used = 0 } = rowAs<AccessRow & Document>(before) ?? {};
    if (isDownloadFact(fact)) return { member_id: fact.data.member_id, grants, used: fact.data.used ?? fact.data.n };
    if (!isGrantFact(fact)) return before ?? null;
    const isAnew = fact.type === 'AccessGranted' && accessSince(grants, fact.at) === undefined;
    return { member_id: fact.data.member_id, grants: grantsAfter(fact, grants), used: isAnew ? 0 : used };
  },
  erase: { documents: { field: 'member_id' } },
};

/** What a member may download of a product, as far as integration events have arrived; undefined = nothing. */
export async function downloadsFor(
  { documents }: { readonly documents: Pick<Documents, 'get'> },
  { school, member, at }: MemberAsking,
  product: Product,
): Promise<{ readonly downloads: Product['files']; readonly downloads_left: number | null } | undefined> {
  const row = rowAs<AccessRow & Document>(await documents.get(access, school, heldBy(member, product.id)));
  const isForAll = product.status === 'published' && product.access === 'free';
  const hasAccess = accessSince(row?.grants ?? {}, at) !== undefined;
  if (!isForAll && !hasAccess) return undefined;
  // Whoever takes it for free begins anew.
  const used = hasAccess ? (row?.used ?? 0) : 0;
  const { files, download_limit: limit } = product;
  return {
    downloads: files.map((file) => ({ ...file })),
    downloads_left: limit === null ? null : Math.max(0, limit - used),
  };
}
