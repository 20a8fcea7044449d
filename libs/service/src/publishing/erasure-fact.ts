import type { Commit, EventLog } from '@lyceum/eventlog';
import {
  type Meta,
  type RecordedEvent,
  type SubjectErased,
  erasedSubject,
  erasureStream,
  uuidv5,
} from '@lyceum/kernel';

/** What other services receive about an erasure, so that they erase the same subject; undefined for any other event. */
export function erasureFact(event: Pick<RecordedEvent, 'type' | 'data'>): SubjectErased | undefined {
  const subject = erasedSubject(event);
  return subject === undefined ? undefined : { type: 'SubjectErased', data: { subject } };
}

/** Who was erased, by whom and when (RFC 3339 UTC). */
export interface Erasure {
  readonly school: string;
  readonly subject: string;
  readonly meta: Meta;
  readonly at: string;
}

/** Writes an erasure into a log, once: a key store that comes from a backup loses the key again by it. */
export async function writeErasure(
  log: Pick<EventLog, 'append'>,
  { school, subject, meta, at }: Erasure,
): Promise<Commit> {
  const event: SubjectErased = { type: 'SubjectErased', data: { subject } };
  const { commit } = await log.append({
    tenant: school,
    expectations: [],
    events: [{ ...event, stream: erasureStream(subject), schema: 1 }],
    commitId: uuidv5('subject-erased', school, subject),
    fingerprint: '',
    at,
    meta,
  });
  return commit;
}
