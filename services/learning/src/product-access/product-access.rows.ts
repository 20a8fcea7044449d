import { type Collection, type Document, type Projection, rowAs } from '@lyceum/documents';
import { upcast } from '@lyceum/kernel';
import { productAccessEvents } from './product-access.events.ts';
import { isOfProductAccess } from './product-access.facts.ts';
import { type ProductAccess, evolve } from './product-access.state.ts';

/** The read model behind lists of digital products that members were given. */
export const productAccesses: Collection = {
  name: 'product-access',
  version: 1,
  fields: { member_id: 'text', product_id: 'text', given: 'text', created_at: 'text', updated_at: 'text' },
};

/** `given`: `no` when what was to be granted was revoked before it came, and nothing else was. */
interface ProductAccessRow extends ProductAccess {
  readonly given: 'yes' | 'no';
}

/** The access of a row. */
export function productAccessOf(row: Document): ProductAccess {
  const { given: _given, ...access } = rowAs<ProductAccessRow & Document>(row);
  return access;
}

/** Folds the events of each access into its row. Of an erased member nothing is kept, and nothing is begun anew. */
export const productAccessProjection: Projection = {
  collection: productAccesses,
  key: ({ stream }) => (isOfProductAccess(stream) ? stream : undefined),
  project(recorded, before) {
    if (!before && recorded.version > 1) return null;
    const { at, version } = recorded;
    const known = before ? productAccessOf(before) : null;
    const access = evolve(known, upcast(productAccessEvents, recorded), { at, version });
    if (!access) return null;
    const given = access.grants.some(({ starts_at }) => starts_at !== null) ? 'yes' : 'no';
    return { ...access, given };
  },
  erase: { documents: { field: 'member_id' } },
};
