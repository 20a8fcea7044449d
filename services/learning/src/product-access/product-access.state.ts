import { type EventContext, type Recorded, recording, unrecorded } from '@lyceum/kernel';
import { type Access, grantsAfter, hasAccess } from '../grants/grant.ts';
import type { ProductAccessEvent } from './product-access.events.ts';

/** An address that a member got for a file; good until `expires_at` (RFC 3339 UTC). */
interface IssuedDownload {
  readonly file_id: string;
  readonly expires_at: string;
}

/** One member's access to one digital product, and how often they downloaded of it. */
export interface ProductAccess extends Recorded, Access {
  readonly member_id: string;
  readonly product_id: string;
  /** All that there ever were. */
  readonly downloads: number;
  /** Those since the member last had no access: what the limit of the product counts. Who buys again begins anew. */
  readonly used: number;
  /** The newest download; null = there was none. */
  readonly last: IssuedDownload | null;
}

/** The access; null = nothing was ever granted or revoked. */
export type ProductAccessState = ProductAccess | null;

const blank = ({ member_id, product_id }: Pick<ProductAccess, 'member_id' | 'product_id'>): ProductAccess => ({
  member_id,
  product_id,
  grants: [],
  downloads: 0,
  used: 0,
  last: null,
  ...unrecorded,
});

function apply(before: ProductAccessState, event: ProductAccessEvent): ProductAccess {
  const state = before ?? blank(event.data);
  if (event.type !== 'DownloadIssued') return { ...state, grants: grantsAfter(state.grants, event) };
  const { file_id, n, used, expires_at } = event.data;
  return { ...state, downloads: n, used, last: { file_id, expires_at } };
}

const recorded = recording<ProductAccess, ProductAccessEvent>(apply, { created: 'AccessGranted' });

/** Folds an event as the log recorded it. */
export function evolve(
  before: ProductAccessState,
  event: ProductAccessEvent,
  context: EventContext,
): ProductAccessState {
  const state = recorded(before, event, context);
  if (!state) return null;
  const isAnew = event.type === 'AccessGranted' && !hasAccess(before, context.at);
  return { ...state, used: isAnew ? 0 : state.used, created_at: before?.created_at ?? context.at };
}
