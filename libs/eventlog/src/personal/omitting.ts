import type { Commit } from '../port.ts';
import { isSealedFingerprint } from './fingerprint.ts';
import { isSealed, sealedField } from './sealing.ts';

/** Whether a commit, as it is stored, has personal fields. */
export const hasPersonal = ({ events }: Commit): boolean => events.some(({ data }) => isSealed(data));

/** A stored commit as if everybody it is about had been erased: personal fields are null, whichever keys there are. */
export const omitPersonal = (commit: Commit): Commit => ({
  ...commit,
  fingerprint: isSealedFingerprint(commit.fingerprint) ? '' : commit.fingerprint,
  events: commit.events.map((event) => {
    if (!isSealed(event.data)) return event;
    const { [sealedField]: _, ...data } = event.data;
    return { ...event, data };
  }),
});
