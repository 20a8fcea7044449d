/** What the page sells, as its address and forms name it. */
export const itemTypes = ['course', 'digital_product', 'event', 'membership_plan'] as const;

/** A kind of thing that is sold. */
export type ItemType = (typeof itemTypes)[number];

/** Something that is to be bought, by its id or slug. */
export interface NamedItem {
  readonly type: ItemType;
  readonly name: string;
}

/** What a reader of the checkout page wants to buy. */
export interface Wanted {
  readonly items: readonly NamedItem[];
  /** As it was typed, without space around it. */
  readonly coupon: string | undefined;
}

/** Items that one page takes; whoever names more buys the first of them. */
const mostItems = 10;
/** Characters of a coupon's code that are read: what is longer is no code. */
const longestCoupon = 100;

const itemForm = /^(course|digital_product|event|membership_plan):([A-Za-z0-9][\w-]{0,99})$/;

function itemIn(text: string): readonly NamedItem[] {
  const [, kind, name] = itemForm.exec(text) ?? [];
  const type = itemTypes.find((each) => each === kind);
  return type && name !== undefined ? [{ type, name }] : [];
}

/** What an address or a form names: `item=course:<id or slug>`, each once, and `coupon=`. What is malformed is left out. */
export function wantedIn(parameters: URLSearchParams): Wanted {
  const named = [...new Set(parameters.getAll('item').slice(0, 100))].flatMap(itemIn);
  const coupon = (parameters.get('coupon') ?? '').trim().slice(0, longestCoupon);
  return { items: named.slice(0, mostItems), coupon: coupon === '' ? undefined : coupon };
}

/** An item as the address names it. */
export const itemText = ({ type, name }: NamedItem): string => `${type}:${name}`;

/** Where the page is that sells this, below the school's address. */
export function checkoutPath({ items, coupon }: Wanted): string {
  const parameters = new URLSearchParams(items.map((item): [string, string] => ['item', itemText(item)]));
  if (coupon !== undefined) parameters.set('coupon', coupon);
  return `/checkout?${parameters}`;
}
