import { claimant, fold, type Folded } from '@lyceum/eventlog';
import { type Call, type Ports, Problem } from '@lyceum/web';
import { type View, viewOfOwn } from '../resource/view.ts';
import type { Product } from './product.state.ts';
import { productDecider, productSlug } from './product.ts';

type Asking = Pick<Call, 'school' | 'principal' | 'view'>;

/** How much of a product the caller sees: role lecturer sees all of the own ones only. */
export const viewOf = (asking: Asking, { created_by }: Pick<Product, 'created_by'>): View =>
  viewOfOwn(asking, created_by === asking.principal?.subject);

interface LoadedProduct extends Omit<Folded<Product>, 'state'> {
  readonly product: Product;
  readonly view: View;
}

/** The product of this id or slug, old slugs included. Strongly consistent. Throws 404 for those who may not know of it. */
export async function loadProduct(asking: Asking, ref: string, { log }: Pick<Ports, 'log'>): Promise<LoadedProduct> {
  const { school } = asking;
  const id = ref.startsWith('product_') ? ref : await claimant(log, school, productSlug, ref);
  if (id === undefined) throw new Problem('not_found');
  const { state: product, ...found } = await fold(log, productDecider, school, id);
  if (!product) throw new Problem('not_found');
  const view = viewOf(asking, product);
  if (product.status !== 'published' && view !== 'staff') throw new Problem('not_found');
  return { ...found, product, view };
}
