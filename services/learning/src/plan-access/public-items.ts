import type { FactOf } from '@lyceum/contracts';
import { type Collection, type Documents, type Projection, eventGuard, rowAs } from '@lyceum/documents';
import type { Item, ItemType } from '../grants/grant.ts';

/** Courses and digital products that are public, or were. */
const publicItems: Collection = { name: 'public-items', version: 1, fields: { item_type: 'text' } };

type ItemFact = Extract<
  FactOf<'catalog'>,
  {
    readonly type:
      | 'CourseShown'
      | 'CourseUnpublished'
      | 'CourseArchived'
      | 'DigitalProductShown'
      | 'DigitalProductUnpublished'
      | 'DigitalProductArchived';
  }
>;

const isItemFact = eventGuard<ItemFact>(
  'CourseShown',
  'CourseUnpublished',
  'CourseArchived',
  'DigitalProductShown',
  'DigitalProductUnpublished',
  'DigitalProductArchived',
);

/** The item that an integration event of the catalog service is about. */
export const itemIn = ({ data }: ItemFact): Item =>
  'course_id' in data
    ? { item_type: 'course', item_id: data.course_id }
    : { item_type: 'digital_product', item_id: data.product_id };

/** Whether an integration event says that an item is public. */
export const isShownFact = eventGuard<Extract<ItemFact, { readonly type: 'CourseShown' | 'DigitalProductShown' }>>(
  'CourseShown',
  'DigitalProductShown',
);

/** An item that is public, or was. */
interface PublicItem {
  readonly item_type: ItemType;
  /** The version of its stream with which it became public last; null = it is not. */
  readonly public_since: number | null;
  /** The version up to which integration events have arrived. */
  readonly version: number;
}

/** What is public of a school, from the integration events of the catalog service. */
export const publicItemsProjection: Projection = {
  collection: publicItems,
  key: (fact) => (isItemFact(fact) ? itemIn(fact).item_id : undefined),
  project(fact, before) {
    const known = rowAs<PublicItem>(before);
    if (!isItemFact(fact) || (known && fact.version <= known.version)) return before ?? null;
    const { version } = fact;
    const public_since = isShownFact(fact) ? (known?.public_since ?? version) : null;
    return { item_type: itemIn(fact).item_type, public_since, version };
  },
};

/** An item that is public, or was, as far as integration events have arrived; undefined = it never was. */
export async function publicItem(
  { documents }: { readonly documents: Pick<Documents, 'get'> },
  school: string,
  id: string,
): Promise<PublicItem | undefined> {
  return rowAs<PublicItem>(await documents.get(publicItems, school, id));
}

/** Whether an item is public now. */
export async function isPublic(...asked: Parameters<typeof publicItem>): Promise<boolean> {
  const item = await publicItem(...asked);
  return item !== undefined && item.public_since !== null;
}

const page = 200;

/** Ids of all items of a type that are public, or were. */
export async function publicItemsOf(
  { documents }: { readonly documents: Pick<Documents, 'query'> },
  school: string,
  item_type: ItemType,
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let more = true; more;) {
    const last = ids.at(-1);
    const found = await documents.query(publicItems, school, {
      where: [{ field: 'item_type', is: item_type }],
      limit: page,
      ...(last === undefined ? {} : { after: { value: null, id: last } }),
    });
    ids.push(...found.items.map(({ id }) => id));
    more = found.more;
  }
  return ids;
}
