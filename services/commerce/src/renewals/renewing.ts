import type { ProcessManager } from '@lyceum/service';

/** What the process of a subscription has done. The names are stored. */
export type Renewing =
  /** `rested`: hours that it waited for the school to be open. */
  | { readonly do: 'due'; readonly rested?: number }
  | { readonly do: 'end' | 'restore' }
  | { readonly do: 'paid' | 'unpaid' | 'refunded' | 'disputed' | 'suspend' | 'look'; readonly order_id: string }
  | { readonly do: 'failed'; readonly order_id: string; readonly payment_id: string }
  | { readonly do: 'change' | 'end_change'; readonly change_id: string };

/** What follows from an input. */
export type Reaction = ReturnType<ProcessManager<null, never, Renewing>['react']>;
