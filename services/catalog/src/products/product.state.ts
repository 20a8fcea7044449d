import { type Named, type Recorded, named, recording, renamed, unrecorded } from '@lyceum/kernel';
import { evolvePrices, type Price } from '../values/prices.ts';
import type { ProductEvent } from './product.events.ts';
import type { File, ProductFields } from './product.fields.ts';

/** A digital product as its events tell it. */
export interface Product extends Readonly<ProductFields>, Named, Recorded {
  readonly id: string;
  readonly status: 'draft' | 'published' | 'unpublished' | 'archived';
  readonly prices: readonly Price[];
  readonly files: readonly File[];
  /** The file that the cover is, when `cover` is no address elsewhere. */
  readonly cover_file: string | null;
  readonly created_by: string;
  /** First publication; null = never. */
  readonly published_at: string | null;
}

/** A product; null = there is none. */
export type ProductState = Product | null;

const newborn = ({ data }: Extract<ProductEvent, { type: 'DigitalProductCreated' }>): Product => ({
  ...data.fields,
  id: data.product_id,
  status: 'draft',
  ...named(data.slug),
  prices: [],
  files: [],
  cover_file: null,
  created_by: data.created_by,
  published_at: null,
  ...unrecorded,
});

/** Folds an event, but for the times and the version, which only the log knows. */
export function apply(state: ProductState, event: ProductEvent): ProductState {
  if (event.type === 'DigitalProductCreated') return newborn(event);
  if (!state) return state;
  switch (event.type) {
    case 'DigitalProductChanged':
      return { ...state, ...event.data.fields } as Product;
    case 'CoverFileSet':
      return { ...state, cover_file: event.data.file_id };
    case 'FileReferenced':
    case 'FileReleased':
      return state;
    case 'DigitalProductSlugChanged':
      return renamed(state, event.data.slug);
    case 'PriceSet':
    case 'PriceRemoved':
      return { ...state, prices: evolvePrices(state.prices, event) };
    case 'DigitalProductFilesSet':
      return { ...state, files: event.data.files };
    case 'DigitalProductPublished':
      return { ...state, status: 'published' };
    case 'DigitalProductShown':
      return state;
    case 'DigitalProductUnpublished':
      return { ...state, status: 'unpublished' };
    case 'DigitalProductArchived':
      return { ...state, status: 'archived' };
    case 'DigitalProductDeleted':
      return null;
  }
}

/** Folds an event as the log recorded it. */
export const evolve = recording(apply, { created: 'DigitalProductCreated', published: 'DigitalProductPublished' });
