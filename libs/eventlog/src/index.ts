export {
  type Append,
  type Appended,
  type Commit,
  type EventLog,
  type Expectation,
  type Loaded,
  type NewEvent,
  type Touched,
  CommitTooLarge,
  ConcurrencyConflict,
  Gap,
  IdempotencyMismatch,
  OutcomeUnknown,
  Unavailable,
  maxCommitBytes,
} from './port.ts';
export { type Executed, type Request, execute } from './execute.ts';
export { type Folded, fold } from './fold.ts';
export { claimStream, claimant } from './claims.ts';
export { memoryEventLog } from './memory.ts';
export { type SqliteEventLogOptions, sqliteEventLog } from './sqlite.ts';
export { type FollowOptions, type Following, followLog } from './follow.ts';
export { type RelayOptions, startRelay } from './relay.ts';
