import { type RecordedEvent, type SubjectErased, erasedSubject } from '@lyceum/kernel';

/** What other services hear of an erasure, so that they erase the same subject; undefined for any other event. */
export function erasureFact(event: Pick<RecordedEvent, 'type' | 'data'>): SubjectErased | undefined {
  const subject = erasedSubject(event);
  return subject === undefined ? undefined : { type: 'SubjectErased', data: { subject } };
}
