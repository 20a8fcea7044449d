import { uuidv5 } from '@lyceum/kernel';

/** The order by which the period of a subscription that begins at a time is paid for: one for each. */
export const renewalOrderId = (school: string, subscription: string, period_start: string): string =>
  `order_${uuidv5('renewal-order', school, subscription, period_start)}`;

/** The order by which a change of the plan is paid for. */
export const changeOrderId = (school: string, subscription: string, change_id: string): string =>
  `order_${uuidv5('change-order', school, subscription, change_id)}`;
