/** Another writer moved a stream first, or the caller's version is old. Nothing was written. */
export class ConcurrencyConflict extends Error {
  override readonly name = 'ConcurrencyConflict';
  readonly stream: string;
  readonly expected: number;
  readonly actual: number;

  constructor(stream: string, expected: number, actual: number) {
    super(`stream ${stream} is at version ${actual}, expected ${expected}`);
    this.stream = stream;
    this.expected = expected;
    this.actual = actual;
  }
}

/** The commit id is stored with another fingerprint: the same key was used for another request. Nothing was written. */
export class IdempotencyMismatch extends Error {
  override readonly name = 'IdempotencyMismatch';
}

/** The commit exceeds `maxCommitBytes`. Nothing was written. */
export class CommitTooLarge extends Error {
  override readonly name = 'CommitTooLarge';
}

/** The event has personal data about a subject that is erased. Nothing was written, and nothing about it ever will be. */
export class Erased extends Error {
  override readonly name = 'Erased';
  readonly subject: string;

  constructor(subject: string) {
    super(`${subject} is erased`);
    this.subject = subject;
  }
}

/** What was read is not what was written: damaged, altered, or moved from another place. Never skipped, never shown. */
export class Corrupted extends Error {
  override readonly name = 'Corrupted';
}

/** The engine cannot be reached or refused. Surely not written. */
export class Unavailable extends Error {
  override readonly name: string = 'Unavailable';
}

/** The engine failed while committing: perhaps written. Retry with the same commit id. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';
}

/** Position `at` of a lane is missing or does not follow its predecessor. */
export class Gap extends Error {
  override readonly name: string = 'Gap';
  readonly lane: number;
  readonly at: number;

  constructor(lane: number, at: number, message = `lane ${lane} has a gap at position ${at}`) {
    super(message);
    this.lane = lane;
    this.at = at;
  }
}

/** The commit at position `at` of a lane is not what was written: it blocks readers like one that is missing. */
export class Damaged extends Gap {
  override readonly name = 'Damaged';

  constructor(lane: number, at: number) {
    super(lane, at, `the commit at position ${at} of lane ${lane} is damaged`);
  }
}
