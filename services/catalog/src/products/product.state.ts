import type { EventContext } from '@lyceum/kernel';
import { evolvePrices, type Price } from '../values/prices.ts';
import type { ProductEvent } from './product.events.ts';
import type { File, ProductFields } from './product.fields.ts';

/** A digital product as its events tell it. */
export interface Product extends Readonly<ProductFields> {
  readonly id: string;
  readonly status: 'draft' | 'published' | 'unpublished' | 'archived';
  readonly slug: string;
  /** Every slug it ever had, newest last: the older ones redirect. */
  readonly slugs: readonly string[];
  readonly prices: readonly Price[];
  readonly files: readonly File[];
  readonly created_by: string;
  readonly created_at: string;
  readonly updated_at: string;
  /** First publication; null = never. */
  readonly published_at: string | null;
  readonly version: number;
}

/** A product; null = there is none. */
export type ProductState = Product | null;

const newborn = ({ data }: Extract<ProductEvent, { type: 'DigitalProductCreated' }>): Product => ({
  ...data.fields,
  id: data.product_id,
  status: 'draft',
  slug: data.slug,
  slugs: [data.slug],
  prices: [],
  files: [],
  created_by: data.created_by,
  created_at: '',
  updated_at: '',
  published_at: null,
  version: 0,
});

/** Folds an event, but for the times and the version, which only the log knows. */
export function apply(state: ProductState, event: ProductEvent): ProductState {
  if (event.type === 'DigitalProductCreated') return newborn(event);
  if (!state) return state;
  switch (event.type) {
    case 'DigitalProductChanged':
      return { ...state, ...event.data.fields } as Product;
    case 'DigitalProductSlugChanged': {
      const { slug } = event.data;
      return { ...state, slug, slugs: [...state.slugs.filter((old) => old !== slug), slug] };
    }
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
export function evolve(state: ProductState, event: ProductEvent, { at, version }: EventContext): ProductState {
  const next = apply(state, event);
  return (
    next && {
      ...next,
      created_at: event.type === 'DigitalProductCreated' ? at : next.created_at,
      published_at: event.type === 'DigitalProductPublished' ? (next.published_at ?? at) : next.published_at,
      updated_at: at,
      version,
    }
  );
}
