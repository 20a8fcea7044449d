import type { Decider } from '@lyceum/kernel';
import { lifetimes } from '../lifetimes.ts';
import { type ConsentEvent, consentEvents } from './consent.events.ts';

/** What a person agreed to for a client. */
export interface Consent {
  readonly scopes: readonly string[];
  readonly resource: readonly string[];
  /** Seconds since the epoch. */
  readonly until: number;
}

/** Undefined = nothing is remembered. */
export type ConsentState = Consent | undefined;

/** Scopes and resources of one request. */
export interface Wanted {
  readonly scopes: readonly string[];
  readonly resource: readonly string[];
}

export type ConsentCommand =
  | (Wanted & {
      readonly type: 'RememberConsent';
      readonly client: string;
      readonly account: string;
      readonly now: number;
    })
  | { readonly type: 'WithdrawConsent' };

/** Decides what is remembered of one person and one client. */
export const consentDecider: Decider<ConsentState, ConsentCommand, ConsentEvent> = {
  events: consentEvents,
  initial: undefined,
  decide(command, state) {
    if (command.type === 'WithdrawConsent') return state ? [{ type: 'ConsentWithdrawn', data: {} }] : [];
    const { client, account, resource, now } = command;
    const before = state && now < state.until && isSame(state.resource, resource) ? state.scopes : [];
    const scopes = [...new Set([...before, ...command.scopes])];
    const until = now + lifetimes.consent;
    return [{ type: 'ConsentRemembered', data: { client, account, scopes, resource: [...resource], until } }];
  },
  evolve(_, event) {
    if (event.type === 'ConsentWithdrawn') return undefined;
    const { scopes, resource, until } = event.data;
    return { scopes, resource, until };
  },
};

/** Whether nothing in a request is more than what was agreed to. A request that names no resource is none that names some. */
export const covers = (state: ConsentState, { scopes, resource }: Wanted, now: number): boolean =>
  state !== undefined &&
  now < state.until &&
  scopes.every((each) => state.scopes.includes(each)) &&
  resource.every((each) => state.resource.includes(each)) &&
  (resource.length === 0) === (state.resource.length === 0);

/** When the person last agreed to something, seconds since the epoch; 0 when nothing is remembered. */
export const agreedAt = (state: ConsentState): number => (state ? state.until - lifetimes.consent : 0);

const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((each) => others.includes(each));
