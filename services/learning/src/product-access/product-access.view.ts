import type { View } from '@lyceum/web';
import { accessPeriod } from '../grants/grant.ts';
import { grantDocument } from '../grants/grant.view.ts';
import { type OfferedProduct, downloadsLeft } from '../products/offered-product.ts';
import type { ProductAccess } from './product-access.state.ts';

/** With what an access is shown. `product`: as it is now; undefined = there is none any more. */
interface Showing {
  readonly view: View;
  /** RFC 3339 UTC. */
  readonly now: string;
  readonly product: OfferedProduct | undefined;
}

/** The access to a digital product as a view shows it at a time: what only the staff see is absent from other views. */
export function productAccessDocument(id: string, access: ProductAccess, { view, now, product }: Showing) {
  const { member_id, product_id, grants, downloads, used, created_at, updated_at, version } = access;
  const period = accessPeriod(access, now);
  return {
    id,
    object: 'product_access',
    product_id,
    product_title: product?.title ?? null,
    state: period ? 'active' : 'lapsed',
    starts_at: period?.starts_at ?? null,
    expires_at: period?.expires_at ?? null,
    downloads,
    downloads_left: period && product ? downloadsLeft(product, used) : 0,
    files: period && product ? product.files.map((file) => ({ ...file })) : [],
    ...(view === 'staff' ? { member_id, grants: grants.map((grant) => grantDocument(grant, now)) } : {}),
    created_at,
    updated_at,
    version,
    view,
  };
}
