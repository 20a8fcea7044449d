import type { Collection, Document, Projection } from '@lyceum/documents';
import { upcast } from '@lyceum/kernel';
import { searchable } from '../resource/search.ts';
import { type ProductEvent, productEvents } from './product.events.ts';
import { evolve, type ProductState } from './product.state.ts';

/** The read model behind the list of digital products. */
export const products: Collection = {
  name: 'digital_products',
  version: 2,
  fields: {
    status: 'text',
    access: 'text',
    created_by: 'text',
    search: 'text',
    created_at: 'text',
    updated_at: 'text',
  },
};

/** Folds each product's events into its row, which has everything but the description. */
export const productProjection: Projection = {
  collection: products,
  key: ({ stream }) => (stream.startsWith('product_') ? stream : undefined),
  project(event, before) {
    const { at, version } = event;
    const { search: _old, ...row } = before ?? {};
    const state = (before ? row : null) as ProductState;
    const next = evolve(state, upcast(productEvents, event) as ProductEvent, { at, version });
    if (!next) return null;
    return { ...next, description: [], search: searchable([next.title, next.summary]) } as unknown as Document;
  },
};
