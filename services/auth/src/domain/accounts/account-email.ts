import { type Rejection, reject } from '@lyceum/kernel';
import type { AccountEvent } from './account.events.ts';
import type { Account, AccountRejection, ChangeSide } from './account.state.ts';

/** What can be done about the e-mail address of an account. Times in milliseconds since the epoch. */
export type EmailCommand =
  /** The person wants a mail with a link that proves the address. */
  | { readonly type: 'AskVerification'; readonly now: number }
  | { readonly type: 'VerifyEmail'; readonly emailKey: string }
  | {
      readonly type: 'AskEmailChange';
      readonly change: string;
      readonly email: string;
      readonly emailKey: string;
      readonly until: string;
    }
  | {
      readonly type: 'ConfirmEmailChange';
      readonly change: string;
      readonly side: ChangeSide;
      readonly now: number;
    };

/** Nobody gets a second mail with the same link within a minute. */
const pause = 60_000;

/** Decides about the address of an open account; `emailKey` is that of its present address. */
export function decideEmail(
  command: EmailCommand,
  state: Account,
): readonly AccountEvent[] | Rejection<AccountRejection> {
  switch (command.type) {
    case 'AskVerification':
      if (state.emailVerified || command.now - state.verificationAsked < pause) return [];
      return [{ type: 'EmailVerificationAsked', data: {} }];
    case 'VerifyEmail':
      if (command.emailKey !== state.emailKey) return reject('invalid_state', 'The address is another one by now');
      return state.emailVerified ? [] : [{ type: 'EmailVerified', data: {} }];
    case 'AskEmailChange': {
      const { change, email, emailKey, until } = command;
      if (emailKey === state.emailKey) return reject('invalid_state', 'The account has this address already');
      return [{ type: 'EmailChangeAsked', data: { change_id: change, email, email_key: emailKey, until } }];
    }
    case 'ConfirmEmailChange':
      return confirm(command, state);
  }
}

function confirm(
  { change, side, now }: Extract<EmailCommand, { type: 'ConfirmEmailChange' }>,
  { pendingEmail: pending }: Account,
): readonly AccountEvent[] | Rejection<AccountRejection> {
  if (pending?.change !== change || now >= pending.until)
    return reject('invalid_state', 'The change was confirmed, replaced or has expired');
  if (pending.confirmed.includes(side)) return [];
  const confirmed: AccountEvent = { type: 'EmailChangeConfirmed', data: { change_id: change, side } };
  if (pending.confirmed.length === 0) return [confirmed];
  const { email, emailKey } = pending;
  return [confirmed, { type: 'EmailChanged', data: { email, email_key: emailKey } }];
}

type EmailEvent = Extract<AccountEvent, { type: `Email${string}` }>;

/** What an event about the address makes of an open account; undefined = its person is erased. */
export function evolveEmail(state: Account, event: EmailEvent, at: string): Account | undefined {
  const { pendingEmail: pending, ...rest } = state;
  switch (event.type) {
    case 'EmailVerificationAsked':
      return { ...state, verificationAsked: Date.parse(at) };
    case 'EmailVerified':
      return { ...state, emailVerified: true };
    case 'EmailChangeAsked': {
      const { change_id: change, email, email_key: emailKey, until } = event.data;
      if (email === null) return undefined;
      return { ...state, pendingEmail: { change, email, emailKey, until: Date.parse(until), confirmed: [] } };
    }
    case 'EmailChangeConfirmed':
      return pending
        ? { ...state, pendingEmail: { ...pending, confirmed: [...pending.confirmed, event.data.side] } }
        : state;
    case 'EmailChanged': {
      const { email, email_key: emailKey } = event.data;
      if (email === null) return undefined;
      return { ...rest, email, emailKey, emailVerified: true, updated: at };
    }
  }
}
