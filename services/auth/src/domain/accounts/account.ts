import { type Decider, reject, isoTime } from '@lyceum/kernel';
import { type EmailCommand, decideEmail, evolveEmail } from './account-email.ts';
import { type AccountEvent, accountEvents } from './account.events.ts';
import type { Account, AccountRejection, AccountState } from './account.state.ts';

/** A password in the place of another. `now` in milliseconds since the epoch. */
export interface ChangePassword {
  readonly type: 'ChangePassword';
  readonly passwordHash: string;
  /** Signs the person out everywhere, too. A link proves the address as well. */
  readonly by?: { readonly who: 'person' | 'link'; readonly now: number };
  /** The hash that is replaced; refused when it is another one by now, so that a link works once. */
  readonly instead?: string;
}

export type AccountCommand =
  | {
      readonly type: 'OpenAccount';
      readonly email: string;
      readonly emailKey: string;
      readonly name: string;
      readonly passwordHash: string;
      /** The address is proven: the account is opened by a link in a mail. */
      readonly emailVerified?: boolean;
    }
  | {
      readonly type: 'ChangeProfile';
      readonly name?: string | undefined;
      readonly locale?: string | null | undefined;
      readonly timezone?: string | null | undefined;
    }
  | ChangePassword
  | EmailCommand
  /** Signs the person out everywhere. `now` in milliseconds since the epoch. */
  | { readonly type: 'EndSessions'; readonly now: number }
  /** After the person was erased. */
  | { readonly type: 'CloseAccount' };

/** The kind of claim that keeps an e-mail address to one account of a school. */
export const emailClaim = 'account_email';

const closed = { type: 'AccountClosed', data: {} } as const;
const verified = { type: 'EmailVerified', data: {} } as const;
const sessionsEnded = (now: number): AccountEvent => ({
  type: 'SessionsEnded',
  data: { tokens_not_before: isoTime(now) },
});

/** Decides about one account. */
export const accountDecider: Decider<AccountState, AccountCommand, AccountEvent, AccountRejection> = {
  events: accountEvents,
  initial: undefined,
  decide(command, state) {
    if (command.type === 'OpenAccount') {
      if (state) return reject('invalid_state', 'The account is open already');
      const { email, emailKey, name, passwordHash, emailVerified = false } = command;
      return [
        { type: 'AccountOpened', data: { email, email_key: emailKey, name, password_hash: passwordHash } },
        ...(emailVerified ? [verified] : []),
      ];
    }
    if (!state) return reject('not_found', 'There is no such account');
    if (command.type === 'CloseAccount') return 'gone' in state && state.gone === 'closed' ? [] : [closed];
    if ('gone' in state) return reject('not_found', 'There is no such account any more');
    if (command.type === 'EndSessions') return [sessionsEnded(command.now)];
    if (command.type === 'ChangeProfile') return changeProfile(command, state);
    if (command.type === 'ChangePassword') return changePassword(command, state);
    return decideEmail(command, state);
  },
  evolve(state, event, { at }) {
    if (event.type !== 'AccountOpened') return state && evolveOpened(state, event, at);
    const { email, email_key: emailKey, name, password_hash: passwordHash } = event.data;
    if (email === null || name === null || passwordHash === null) return { emailKey, gone: 'erased' };
    const standing = { locale: null, timezone: null, notBefore: 0, emailVerified: false, verificationAsked: 0 };
    return { email, emailKey, name, passwordHash, updated: at, ...standing };
  },
  releases: (event, before) =>
    (event.type === 'AccountClosed' || event.type === 'EmailChanged') && before
      ? [{ kind: emailClaim, value: before.emailKey }]
      : [],
  claims: (event) =>
    event.type === 'AccountOpened' || event.type === 'EmailChanged'
      ? [{ kind: emailClaim, value: event.data.email_key, rejected: 'email_taken' }]
      : [],
};

type ChangeProfile = Extract<AccountCommand, { type: 'ChangeProfile' }>;

function changeProfile({ name, locale, timezone }: ChangeProfile, state: Account): readonly AccountEvent[] {
  const wanted = {
    ...(name === undefined || name === state.name ? {} : { name }),
    ...(locale === undefined || locale === state.locale ? {} : { locale }),
    ...(timezone === undefined || timezone === state.timezone ? {} : { timezone }),
  };
  return Object.keys(wanted).length === 0 ? [] : [{ type: 'ProfileChanged', data: wanted }];
}

function changePassword({ passwordHash, by, instead }: ChangePassword, state: Account) {
  if (instead !== undefined && instead !== state.passwordHash)
    return reject<AccountRejection>('invalid_state', 'The password is another one by now');
  const changed = { password_hash: passwordHash };
  if (!by) return [{ type: 'PasswordChanged', data: changed }] as const;
  return [
    { type: 'PasswordChanged', data: { ...changed, by: by.who } },
    sessionsEnded(by.now),
    ...(by.who === 'link' && !state.emailVerified ? [verified] : []),
  ] as const;
}

/** What an event makes of an account; one whose person is erased stays that. */
function evolveOpened(
  state: NonNullable<AccountState>,
  event: Exclude<AccountEvent, { type: 'AccountOpened' }>,
  at: string,
): AccountState {
  const { emailKey } = state;
  const erased = { emailKey, gone: 'erased' } as const;
  if (event.type === 'AccountClosed') return { emailKey, gone: 'closed' };
  if ('gone' in state) return event.type === 'EmailChanged' ? { ...state, emailKey: event.data.email_key } : state;
  switch (event.type) {
    case 'SessionsEnded':
      return { ...state, notBefore: Date.parse(event.data.tokens_not_before) };
    case 'ProfileChanged': {
      const { name, locale = state.locale, timezone = state.timezone } = event.data;
      return name === null ? erased : { ...state, name: name ?? state.name, locale, timezone, updated: at };
    }
    case 'PasswordChanged': {
      const { password_hash: passwordHash } = event.data;
      return passwordHash === null ? erased : { ...state, passwordHash };
    }
    default:
      return evolveEmail(state, event, at) ?? erased;
  }
}
