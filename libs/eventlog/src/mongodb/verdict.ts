import type { Waiting } from './placing.ts';
import { IdempotencyMismatch, OutcomeUnknown, Unavailable } from '../errors.ts';
import type { Appended } from '../port.ts';
import { type StoredCommit, decode } from '../storage/store.ts';

/** Whether an append still waits for its answer. */
export const unsettled = (waiting: Waiting): boolean => !waiting.settled;

/** Gives an append its answer. */
export function settle(waiting: Waiting, outcome: Appended | Error): void {
  waiting.settled = true;
  if (outcome instanceof Error) waiting.reject(outcome);
  else waiting.resolve(outcome);
}

/** Answers with the commit that is stored under the append's id; `sent` is what this writer sent, perhaps that very one. */
export function answer(waiting: Waiting, stored: StoredCommit, sent?: StoredCommit): void {
  const own = stored.position === sent?.position && stored.events === sent.events && stored.at === sent.at;
  if (stored.fingerprint !== waiting.draft.fingerprint)
    settle(waiting, new IdempotencyMismatch('this commit id was used for another request'));
  else settle(waiting, { commit: decode(stored), replayed: !own });
}

/** Answers that there is no telling, or that surely nothing was written. */
export function giveUp(rest: readonly Waiting[], cause: unknown): void {
  for (const waiting of rest.filter(unsettled))
    settle(
      waiting,
      waiting.sentAt === undefined
        ? new Unavailable('the log could not be written', { cause })
        : new OutcomeUnknown('the log failed while committing', { cause }),
    );
}
