/** How often something may be asked for. The name is public. */
export interface Policy {
  readonly name: string;
  /** Requests at once, and in a window on the average. */
  readonly quota: number;
  /** Seconds. */
  readonly window: number;
}

/** A policy that allows so many requests in a minute. */
export const perMinute = (name: string, quota: number): Policy => ({ name, quota, window: 60 });

/** A policy that allows so many requests in an hour. */
export const perHour = (name: string, quota: number): Policy => ({ name, quota, window: 3_600 });

/** A policy that allows so many requests in a day. */
export const perDay = (name: string, quota: number): Policy => ({ name, quota, window: 86_400 });

/** A policy multiplied by the operator's factor; it always allows one request. */
export const scaled = (policy: Policy, factor: number): Policy => ({
  ...policy,
  quota: Math.max(1, Math.round(policy.quota * factor)),
});
