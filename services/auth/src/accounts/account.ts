import type { Role } from '@lyceum/contracts';
import { type Decider, reject } from '@lyceum/kernel';
import { type AccountEvent, accountEvents } from './account.events.ts';

/** A person who can sign in to one school. */
export interface Account {
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly passwordHash: string;
  /** RFC 3339: when name or e-mail were last set. */
  readonly updated: string;
}

/** Undefined = no such account. */
export type AccountState = Account | undefined;

export type AccountCommand =
  | {
      readonly type: 'open';
      readonly email: string;
      readonly emailKey: string;
      readonly name: string;
      readonly role: Role;
      readonly passwordHash: string;
    }
  | { readonly type: 'changePassword'; readonly passwordHash: string };

export type AccountRejection = 'email_taken' | 'invalid_state' | 'not_found';

/** The kind of claim that keeps an e-mail address to one account of a school. */
export const emailClaim = 'account_email';

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
    return [{ type: 'PasswordChanged', data: { password_hash: command.passwordHash } }];
  },
  evolve(state, event, { at }) {
    if (event.type === 'PasswordChanged') return { ...state!, passwordHash: event.data.password_hash };
    const { email, name, role, password_hash: passwordHash } = event.data;
    return { email, name, role, passwordHash, updated: at };
  },
  claims: (event) =>
    event.type === 'AccountOpened' ? [{ kind: emailClaim, value: event.data.email_key, rejected: 'email_taken' }] : [],
};
