import type { Role } from '@lyceum/contracts';
import { type Decider, reject, isoTime } from '@lyceum/kernel';
import { type AccountEvent, accountEvents } from './account.events.ts';

/** A person who can sign in to one school. */
export interface Account {
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly passwordHash: string;
  /** RFC 3339: when name or e-mail were last set. */
  readonly updated: string;
  /** Milliseconds since the epoch: what was signed in or granted before is void. 0 = nothing is. */
  readonly notBefore: number;
}

/** An account whose person is erased; it may have been closed since. */
interface Gone {
  readonly gone: 'erased' | 'closed';
}

/** What there is of an account; undefined = there never was one. */
export type AccountState = ((Account | Gone) & { readonly emailKey: string }) | undefined;

/** The account, if somebody can sign in with it. */
export const openAccountIn = (state: AccountState): Account | undefined =>
  state === undefined || 'gone' in state ? undefined : state;

export type AccountCommand =
  | {
      readonly type: 'open';
      readonly email: string;
      readonly emailKey: string;
      readonly name: string;
      readonly role: Role;
      readonly passwordHash: string;
    }
  | { readonly type: 'changePassword'; readonly passwordHash: string }
  /** Signs the person out everywhere. `now` in milliseconds since the epoch. */
  | { readonly type: 'endSessions'; readonly now: number }
  /** After the person was erased. */
  | { readonly type: 'close' };

export type AccountRejection = 'email_taken' | 'invalid_state' | 'not_found';

/** The kind of claim that keeps an e-mail address to one account of a school. */
export const emailClaim = 'account_email';

const closed = { type: 'AccountClosed', data: {} } as const;

/** Decides about one account. */
export const account: Decider<AccountState, AccountCommand, AccountEvent, AccountRejection> = {
  events: accountEvents,
  initial: undefined,
  decide(command, state) {
    if (command.type === 'open') {
      if (state) return reject('invalid_state', 'The account is open already');
      const { email, emailKey, name, role, passwordHash } = command;
      return [{ type: 'AccountOpened', data: { email, email_key: emailKey, name, role, password_hash: passwordHash } }];
    }
    if (!state) return reject('not_found', 'There is no such account');
    if (command.type === 'close') return 'gone' in state && state.gone === 'closed' ? [] : [closed];
    if ('gone' in state) return reject('not_found', 'There is no such account any more');
    if (command.type === 'endSessions')
      return [{ type: 'SessionsEnded', data: { tokens_not_before: isoTime(command.now) } }];
    return [{ type: 'PasswordChanged', data: { password_hash: command.passwordHash } }];
  },
  evolve(state, event, { at }) {
    if (event.type === 'AccountClosed') return { emailKey: state!.emailKey, gone: 'closed' };
    if (event.type === 'SessionsEnded')
      return 'gone' in state! ? state : { ...state!, notBefore: Date.parse(event.data.tokens_not_before) };
    if (event.type === 'PasswordChanged') {
      const { password_hash: passwordHash } = event.data;
      const { emailKey } = state!;
      return passwordHash === null || 'gone' in state! ? { emailKey, gone: 'erased' } : { ...state!, passwordHash };
    }
    const { email, email_key: emailKey, name, role, password_hash: passwordHash } = event.data;
    if (email === null || name === null || passwordHash === null) return { emailKey, gone: 'erased' };
    return { email, emailKey, name, role, passwordHash, updated: at, notBefore: 0 };
  },
  releases: (event, before) =>
    event.type === 'AccountClosed' && before ? [{ kind: emailClaim, value: before.emailKey }] : [],
  claims: (event) =>
    event.type === 'AccountOpened' ? [{ kind: emailClaim, value: event.data.email_key, rejected: 'email_taken' }] : [],
};
