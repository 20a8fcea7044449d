const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const orderForm = new RegExp(`^order_${uuid}$`);
const partForm = new RegExp(`^(?:payment|order)_(${uuid})\\.\\d{1,3}(?:~\\d{1,3})?$`);

/** Whether a text is the id of an order. */
export const isOrderId = (id: string): boolean => orderForm.test(id);

/** The id of a line: unique everywhere, and it names its order. Lines count from 1. */
export const lineId = (order: string, number: number): string => `${order}.${number}`;

/** The id of a payment, which names its order. Payments of an order count from 1. */
export const paymentId = (order: string, number: number): string => `${order.replace(/^order_/, 'payment_')}.${number}`;

/** The order that an id is of: its own, that of a line or its access, or that of a payment; undefined for anything else. */
export function orderOf(id: string): string | undefined {
  if (isOrderId(id)) return id;
  const own = partForm.exec(id)?.[1];
  return own === undefined ? undefined : `order_${own}`;
}

interface AccessedLine {
  readonly line_id: string;
  readonly item_type: string;
  readonly item_id: string;
  /** How often access was given for it; absent = once. */
  readonly access?: number;
  /** Days that it lasts, as it was sold. */
  readonly access_days?: number | null | undefined;
}

/** What a line is about, as it is told to those who give access: each time that it is given, it has a source of its own. */
export const accessOf = ({ line_id, item_type, item_id, access = 1, access_days }: AccessedLine) => ({
  line_id,
  item_type,
  item_id,
  ...(access > 1 ? { source_id: `${line_id}~${access}` } : {}),
  ...(access_days === undefined ? {} : { access_days }),
});

/** The line that a source of access is of. */
export const lineOfSource = (source_id: string): string => source_id.replace(/~\d+$/, '');
