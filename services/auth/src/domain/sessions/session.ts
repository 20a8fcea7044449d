import { type Decider, reject } from '@lyceum/kernel';
import { lifetimes } from '../lifetimes.ts';
import { type SessionEvent, sessionEvents } from './session.events.ts';

/** A browser in which a person is signed in. Times in seconds since the epoch. */
export interface Session {
  /** Names the session in tokens; says nothing about the cookie. */
  readonly sid: string;
  readonly account: string;
  readonly authTime: number;
  /** When it began, in milliseconds. */
  readonly since: number;
  readonly amr: readonly string[];
  readonly expires: number;
  readonly ended: boolean;
  /** When the browser was last here, in milliseconds, within an hour. */
  readonly seen: number;
  /** Clients that are notified when the person signs out. */
  readonly clients: readonly string[];
}

/** The description by which a person recognises a browser. */
export interface SignedInFrom {
  readonly browser?: string;
  readonly system?: string;
  readonly address?: string;
}

const hour = 3_600_000;

/** Undefined = no such session. */
export type SessionState = Session | undefined;

export type SessionCommand =
  | {
      readonly type: 'StartSession';
      readonly sid: string;
      readonly account: string;
      readonly since: number;
      readonly from?: SignedInFrom;
    }
  | { readonly type: 'UseSession'; readonly now: number }
  /** A client that has a `backchannel_logout_uri` gets tokens. */
  | { readonly type: 'ShareSession'; readonly client: string }
  | { readonly type: 'EndSession'; readonly reason: 'replaced' | 'signed_out' };

/** Decides about one session. It is never restarted: every sign-in is a new one. */
export const sessionDecider: Decider<SessionState, SessionCommand, SessionEvent, 'invalid_state'> = {
  events: sessionEvents,
  initial: undefined,
  decide(command, state) {
    if (command.type === 'EndSession') {
      if (!state || state.ended) return [];
      return [{ type: 'SessionEnded', data: { reason: command.reason, ...logoutNotice(command.reason, state) } }];
    }
    if (command.type === 'ShareSession')
      return !state || state.ended || state.clients.includes(command.client)
        ? []
        : [{ type: 'SessionShared', data: { client: command.client } }];
    if (command.type === 'UseSession')
      return state && !state.ended && command.now - state.seen >= hour ? [{ type: 'SessionUsed', data: {} }] : [];
    if (state) return reject('invalid_state', 'The session has started already');
    const { sid, account, since, from } = command;
    const now = Math.floor(since / 1000);
    const data = { sid, account, auth_time: now, since, amr: ['pwd'], expires: now + lifetimes.session, ...from };
    return [{ type: 'SessionStarted', data }];
  },
  evolve(state, event, { at }) {
    if (event.type !== 'SessionStarted') return state && evolveStarted(state, event, at);
    const { sid, account, auth_time: authTime, since, amr, expires } = event.data;
    return { sid, account, authTime, since, amr, expires, ended: false, seen: since, clients: [] };
  },
};

function evolveStarted(
  session: Session,
  event: Exclude<SessionEvent, { type: 'SessionStarted' }>,
  at: string,
): Session {
  if (event.type === 'SessionUsed') return { ...session, seen: Date.parse(at) };
  if (event.type === 'SessionShared') return { ...session, clients: [...session.clients, event.data.client] };
  return { ...session, ended: true };
}

/** A session that another one replaces in the same browser is no sign-out. */
const logoutNotice = (reason: 'replaced' | 'signed_out', { sid, account, clients }: Session) =>
  reason === 'replaced' || clients.length === 0 ? {} : { told: { sid, account, clients: [...clients] } };

/** Whether the person is still signed in. */
export const isLive = (state: SessionState, now: number): state is Session =>
  state !== undefined && !state.ended && now < state.expires;
