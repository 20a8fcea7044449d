import { type Decider, isoTime, reject } from '@lyceum/kernel';
import { type ExportRequestEvent, exportRequestEvents } from './export-request.events.ts';

/** A request for an export. Times are RFC 3339. */
export interface ExportRequest {
  readonly requested_at: string;
  /** The link works until then. It also names the request: a link of an earlier one has another time. */
  readonly expires_at: string;
}

/** The last request of a person; undefined = there was none. */
export type ExportRequestState = ExportRequest | undefined;

/** What may be asked of it. Times are RFC 3339. */
export interface ExportRequestCommand {
  readonly type: 'RequestExport';
  readonly now: string;
  readonly expires_at: string;
}

const prefix = 'export-';
const accountPrefix = 'account_';

/** The stream of a person's requests. `account`: the id of an account. */
export const exportRequestStream = (account: string): string => prefix + account.slice(accountPrefix.length);

/** Whether a stream is one of requests for exports. */
export const isExportRequestStream = (stream: string): boolean => stream.startsWith(prefix);

/** The account whose requests are in a stream. */
export const accountOfExportRequest = (stream: string): string => accountPrefix + stream.slice(prefix.length);

/** Nobody is sent more than one of these mails a day. */
const pause = 24 * 60 * 60_000;

/** When it can be asked for again. RFC 3339. */
export const nextExportAt = ({ requested_at }: ExportRequest): string => isoTime(Date.parse(requested_at) + pause);

/** The request whose link works at a time, if there is one. */
export const liveExport = (state: ExportRequestState, now: string): ExportRequest | undefined =>
  state && now < state.expires_at ? state : undefined;

/** Decides about the requests of one person: one a day, and the last one counts. */
export const exportRequestDecider: Decider<
  ExportRequestState,
  ExportRequestCommand,
  ExportRequestEvent,
  'rate_limited'
> = {
  events: exportRequestEvents,
  initial: undefined,
  decide({ now, expires_at }, state) {
    const next = state && nextExportAt(state);
    if (next !== undefined && now < next)
      return reject('rate_limited', `A mail with a link is on its way already; it can be asked for again at ${next}`);
    return [{ type: 'ExportRequested', data: { expires_at } }];
  },
  evolve: (_, { data }, { at }) => ({ requested_at: at, expires_at: data.expires_at }),
};
