import { referenceEvents } from '@lyceum/contracts';
import { type Decider, type Rejection, differences, reject, same } from '@lyceum/kernel';
import { priceEvents, priceFaults, type WantedPrice } from '../values/prices.ts';
import { coverFileEvents } from '../values/covers.ts';
import { type ProductEvent, productEvents } from './product.events.ts';
import type { File, ProductFields } from './product.fields.ts';
import { unmet } from './product.readiness.ts';
import { apply, evolve, type Product, type ProductState } from './product.state.ts';

/** What should be different. A list replaces the whole list. */
export interface Changes extends Partial<ProductFields> {
  readonly slug?: string;
  readonly prices?: readonly WantedPrice[];
  readonly cover_file?: string | null;
}

/** What can be asked of a digital product. `currency` is the school's. */
export type ProductCommand =
  | {
      readonly type: 'CreateProduct';
      readonly id: string;
      readonly by: string;
      readonly slug: string;
      readonly fields: ProductFields;
      readonly prices: readonly WantedPrice[];
      readonly cover_file?: string | null;
      readonly currency: string;
    }
  | { readonly type: 'ChangeProduct'; readonly changes: Changes; readonly currency: string }
  | { readonly type: 'SetFiles'; readonly files: readonly File[]; readonly currency: string }
  | { readonly type: 'PublishProduct'; readonly currency: string }
  | { readonly type: 'UnpublishProduct' | 'ArchiveProduct' | 'DeleteProduct' };

type Command<T extends ProductCommand['type']> = Extract<ProductCommand, { type: T }>;

/** What a command to a digital product can be rejected for. */
export type ProductCode = 'not_found' | 'slug_taken' | 'validation_failed' | 'not_ready' | 'invalid_state';

type Decision = readonly ProductEvent[] | Rejection<ProductCode>;

function decide(command: ProductCommand, state: ProductState): Decision {
  if (command.type === 'CreateProduct') return create(command, state);
  if (!state) return reject('not_found', 'There is no such product');
  switch (command.type) {
    case 'ChangeProduct':
      return change(command.changes, command.currency, state);
    case 'SetFiles':
      return setFiles(command, state);
    case 'PublishProduct':
      return publish(command, state);
    case 'UnpublishProduct':
      if (state.status === 'unpublished') return [];
      return state.status === 'published'
        ? [{ type: 'DigitalProductUnpublished', data: {} }]
        : reject('invalid_state', `A product that is ${state.status} is not public`);
    case 'ArchiveProduct':
      return archive(state);
    case 'DeleteProduct':
      return state.published_at === null
        ? [...referenceEvents(filesNamedBy(state), []), { type: 'DigitalProductDeleted', data: {} }]
        : reject('invalid_state', 'A product that was published is archived, not deleted');
  }
}

function create(command: Command<'CreateProduct'>, state: ProductState): Decision {
  if (state) return reject('invalid_state', 'The product exists already');
  const { id: product_id, slug, fields, by: created_by, prices, cover_file = null, currency } = command;
  const created: ProductEvent = { type: 'DigitalProductCreated', data: { product_id, slug, fields, created_by } };
  const more = change({ prices, cover_file }, currency, apply(null, created)!);
  return 'rejected' in more ? more : [created, ...more];
}

function change({ slug, prices, cover_file, ...fields }: Changes, currency: string, before: Product): Decision {
  const faults = priceFaults(before.prices, prices ?? [], currency);
  if (faults.length > 0) return reject('validation_failed', 'A price is not acceptable', faults);
  const different = differences(before, fields);
  const events: ProductEvent[] = [];
  if (different) events.push({ type: 'DigitalProductChanged', data: { fields: different } });
  events.push(...coverFileEvents(before, cover_file));
  if (slug !== undefined && slug !== before.slug) events.push({ type: 'DigitalProductSlugChanged', data: { slug } });
  if (prices) events.push(...priceEvents(before.prices, prices));
  return sound(before, events, currency);
}

function setFiles({ files, currency }: Command<'SetFiles'>, before: Product): Decision {
  if (same(files, before.files)) return [];
  return sound(before, [{ type: 'DigitalProductFilesSet', data: { files: [...files] } }], currency);
}

/** The events of a change, if the product may change and a published one stays complete. */
function sound(before: Product, wanted: readonly ProductEvent[], currency: string): Decision {
  if (before.status === 'archived') return reject('invalid_state', 'An archived product cannot be changed');
  if (wanted.length === 0) return wanted;
  const after = wanted.reduce<ProductState>(apply, before)!;
  const events = [...wanted, ...referenceEvents(filesNamedBy(before), filesNamedBy(after))];
  if (before.status !== 'published') return events;
  const known = new Set(unmet(before, currency).map(({ code }) => code));
  const broken = unmet(after, currency).filter(({ code }) => !known.has(code));
  if (broken.length > 0) return reject('not_ready', 'A published product must stay complete', broken);
  const [was, is] = [shown(before), shown(after)];
  return same(was, is) ? events : [...events, is];
}

const filesNamedBy = ({ cover_file, files }: Product) => [cover_file, ...files.map(({ file_id }) => file_id)];

/** What others show and sell of it. */
const shown = ({ slug, title, summary, access, prices, files }: Product): ProductEvent => ({
  type: 'DigitalProductShown',
  data: { slug, title, summary, access, prices: prices.map((price) => ({ ...price })), files: files.length },
});

function publish({ currency }: Command<'PublishProduct'>, product: Product): Decision {
  if (product.status === 'published') return [];
  if (product.status === 'archived') return reject('invalid_state', 'An archived product cannot be published');
  const missing = unmet(product, currency);
  if (missing.length > 0) return reject('not_ready', 'The product is not complete', missing);
  return [{ type: 'DigitalProductPublished', data: {} }, shown(product)];
}

function archive({ status }: Product): Decision {
  if (status === 'archived') return [];
  if (status === 'draft') return reject('invalid_state', 'A draft was never public: delete it instead');
  const archived: ProductEvent = { type: 'DigitalProductArchived', data: {} };
  return status === 'published' ? [{ type: 'DigitalProductUnpublished', data: {} }, archived] : [archived];
}

/** The kind of claim that keeps the slugs of products unique in a school. */
export const productSlug = 'product_slug';

/** A digital product: its stream is its id. */
export const productDecider: Decider<ProductState, ProductCommand, ProductEvent, ProductCode> = {
  events: productEvents,
  initial: null,
  snapshot: { version: 2 },
  decide,
  evolve,
  claims: (event) =>
    event.type === 'DigitalProductCreated' || event.type === 'DigitalProductSlugChanged'
      ? [{ kind: productSlug, value: event.data.slug, rejected: 'slug_taken' }]
      : [],
  releases: (event, before) =>
    event.type === 'DigitalProductDeleted' ? (before?.slugs ?? []).map((value) => ({ kind: productSlug, value })) : [],
};
