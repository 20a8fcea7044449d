import type { Incoming } from '@lyceum/documents';
import { isoTime, upcast } from '@lyceum/kernel';
import { accountEvents } from '../../domain/accounts/account.events.ts';
import { exportRequestEvents } from '../../exports/export-request.events.ts';
import { isExportRequestStream } from '../../exports/export-request.ts';
import { lifetimes } from '../../domain/lifetimes.ts';
import { type SessionEvent, sessionEvents } from '../../domain/sessions/session.events.ts';
import { idOf } from '../../domain/streams.ts';
import { recoveryEvents, recoveryStreamPrefix } from '../../recovery/recovery.events.ts';
import { isSignUpStream, signUpEvents } from '../../sign-up/sign-up.events.ts';
import type { Delivery, AccountMailName } from '../delivery.events.ts';

const after = (at: string, seconds: number): string => isoTime(Date.parse(at) + seconds * 1000);

/** What an event obliges this service to send. Pure. */
export function dueDeliveries(event: Incoming): readonly Delivery[] {
  const { stream, at } = event;
  const letter = (name: AccountMailName, seconds: number, more: { readonly language?: string } = {}): Delivery => ({
    what: 'letter',
    letter: name,
    about: stream,
    until: after(at, seconds),
    ...more,
  });
  if (stream.startsWith(recoveryStreamPrefix)) {
    const { language } = upcast(recoveryEvents, event).data;
    return [letter('reset', lifetimes.resetLink, { language })];
  }
  if (isSignUpStream(stream)) {
    const { language } = upcast(signUpEvents, event).data;
    return [{ what: 'signUp', about: stream, language, until: after(at, lifetimes.mailLink) }];
  }
  if (isExportRequestStream(stream))
    return [{ what: 'export', about: stream, until: upcast(exportRequestEvents, event).data.expires_at }];
  if (stream.startsWith('session-')) return logouts(upcast(sessionEvents, event), at);
  if (!stream.startsWith('account-')) return [];
  const { type, data } = upcast(accountEvents, event);
  if (type === 'SessionsEnded')
    return [{ what: 'signOut', account: idOf('account', stream), until: after(at, lifetimes.mailLink) }];
  if (type === 'EmailVerificationAsked') return [letter('verify', lifetimes.mailLink)];
  if (type === 'PasswordChanged' && data.by !== undefined) return [letter('passwordChanged', lifetimes.mailLink)];
  if (type !== 'EmailChangeAsked') return [];
  return [letter('emailChangePresent', lifetimes.mailLink), letter('emailChangeNext', lifetimes.mailLink)];
}

function logouts(event: SessionEvent, at: string): readonly Delivery[] {
  if (event.type !== 'SessionEnded' || !event.data.told) return [];
  const { sid, account, clients } = event.data.told;
  const until = after(at, lifetimes.logoutRetry);
  return clients.map((client) => ({ what: 'logout', client, account, sid, until }));
}
