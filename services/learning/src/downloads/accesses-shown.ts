import type { Found } from '@lyceum/documents';
import type { AskingPorts } from '@lyceum/service';
import type { Call, View } from '@lyceum/web';
import { productAccessOf } from '../product-access/product-access.rows.ts';
import { productAccessDocument } from '../product-access/product-access.view.ts';
import type { OfferedProduct } from '../products/offered-product.ts';
import { offeredProducts } from '../products/product.catalog.ts';

/** A row of an access to a digital product, and what is shown of it. */
export interface ShownAccess extends Found {
  readonly document: object;
}

/**
 * Shows rows of accesses to digital products, at most 100, with the products as these are now: the catalog is asked once.
 * `isKnown`: of which products the reader may know; left out = of all.
 */
export async function accessesShown(
  asking: AskingPorts,
  { school, at: now }: Pick<Call, 'school' | 'at'>,
  view: View,
  rows: readonly Found[],
  isKnown: (product: OfferedProduct | undefined) => boolean = () => true,
): Promise<readonly ShownAccess[]> {
  const accesses = rows.map((row) => ({ ...row, access: productAccessOf(row.body) }));
  const ids = new Set(accesses.map(({ access }) => access.product_id));
  const products = await offeredProducts(asking, school, [...ids]);
  return accesses.flatMap(({ access, ...row }) => {
    const product = products.get(access.product_id);
    return isKnown(product) ? { ...row, document: productAccessDocument(row.id, access, { view, now, product }) } : [];
  });
}
