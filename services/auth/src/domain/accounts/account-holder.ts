import type { Meta } from '@lyceum/kernel';

/** A person who looks at, or changes, what is their own. */
export interface AccountHolder {
  readonly school: string;
  readonly account: string;
  readonly meta: Meta;
}
