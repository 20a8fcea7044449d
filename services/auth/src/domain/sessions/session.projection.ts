import { type Collection, type Document, type Projection, rowAs } from '@lyceum/documents';
import { upcast } from '@lyceum/kernel';
import { type SessionEvent, sessionEvents } from './session.events.ts';

/** A sign-in as its person finds it. The document's id is its stream. */
export interface SessionDocument extends Document {
  readonly sid: string;
  readonly account: string;
  /** When it began, in milliseconds since the epoch. */
  readonly began: number;
  /** RFC 3339. */
  readonly since: string;
  /** RFC 3339: to the hour. */
  readonly used: string;
  /** Seconds since the epoch. */
  readonly expires: number;
  readonly browser: string | null;
  readonly system: string | null;
  readonly address: string | null;
}

/** The sign-ins that have not been ended, to be found by person. */
export const sessionDocuments: Collection = {
  name: 'sessions',
  version: 1,
  fields: { account: 'text', sid: 'text', expires: 'number' },
};

/** Folds each session's events into its row; an ended session has none. */
export const sessionProjection: Projection = {
  collection: sessionDocuments,
  key: ({ stream }) => (stream.startsWith('session-') ? stream : undefined),
  project(recorded, before) {
    const event = upcast(sessionEvents, recorded);
    return projected(event, recorded.at, rowAs<SessionDocument>(before));
  },
  erase: { documents: { field: 'account' } },
};

function projected(event: SessionEvent, at: string, row: SessionDocument | undefined): SessionDocument | null {
  if (event.type === 'SessionStarted') {
    const { sid, account, since: began, expires, browser = null, system = null, address = null } = event.data;
    return { sid, account, began, since: at, used: at, expires, browser, system, address };
  }
  if (!row || event.type === 'SessionEnded') return null;
  return event.type === 'SessionUsed' ? { ...row, used: at } : row;
}
