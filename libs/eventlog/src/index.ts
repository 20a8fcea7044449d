export {
  CommitTooLarge,
  ConcurrencyConflict,
  Corrupted,
  Erased,
  Damaged,
  Gap,
  IdempotencyMismatch,
  OutcomeUnknown,
  Unavailable,
} from './errors.ts';
export {
  type Append,
  type Appended,
  type Commit,
  type EventLog,
  type Expectation,
  type Loaded,
  type NewEvent,
  type Snapshot,
  type Snapshots,
  type Touched,
  maxCommitBytes,
} from './port.ts';
export { type CommandSource, type VersionedCommand, type Executed, type Request, execute } from './execute.ts';
export { type Evolving, type Folded, fold } from './folding/fold.ts';
export { memorySnapshots, withSnapshots } from './folding/snapshots.ts';
export { withStates } from './folding/with-states.ts';
export { type Wish, claimStream, claimant, claimants, isClaimStream, wishes } from './claims.ts';
export { LogUnfit, laneOf } from './lane.ts';
export { memoryEventLog } from './memory/memory.ts';
export type { ArchiveOptions, Archived } from './sqlite/archive/archiving.ts';
export { type SqliteEventLogOptions, openLogDatabase, sqliteEventLog } from './sqlite/sqlite.ts';
export { type LogState, LogFileDamaged, reviveLogFile, stateOf } from './sqlite/log-file.ts';
export { type MongodbEventLogOptions, mongodbEventLog } from './mongodb/mongodb.ts';
export type { LogSignals } from './mongodb/log-signals.ts';
export { type FollowOptions, type Following, followLog } from './follow.ts';
export { type WholeOptions, readWholeLog } from './following/whole-log.ts';
export { type RelayOptions, startRelay } from './following/relay.ts';
export { type KeyStore, type SchoolKey, type Searched, type Slot, type StoredKey } from './keys/key-store.ts';
export { lazyKeyStore } from './keys/lazy-key-store.ts';
export { memoryKeyStore } from './keys/memory-key-store.ts';
export { mongodbKeyStore } from './keys/mongodb-key-store.ts';
export { type SqliteKeyStoreOptions, sqliteKeyStore } from './keys/sqlite-key-store.ts';
export { KeyMissing, KeyTaken, Vault } from './keys/vault.ts';
export { WrappingKeyMissing } from './keys/wrapping.ts';
export { type Catalogue, UnsoundMark, catalogueOf } from './personal/plan.ts';
export { type Encryption, encryptedEventLog } from './personal/encrypted-log.ts';
export { hasPersonal, omitPersonal } from './personal/omitting.ts';
export { openStored } from './personal/opening.ts';
export { LaneSet } from './following/lane-set.ts';
export { LaneGaps } from './following/lane-gaps.ts';
export { type KnownEvents, withKnownEvents } from './following/known-events.ts';
export { withSharedReading } from './following/shared-reading.ts';
export { forwarding } from './forwarding.ts';
export { laneCopy } from './staging/lane-copy.ts';
export { type StagedLog, inOneWrite, stagedLog } from './staging/staged-log.ts';
export { type Fault, faultsIn } from './log-check.ts';
export { inNewEpoch } from './sqlite/log-epoch.ts';
export type { Hole, Lost, TornStream } from './repair/plan.ts';
export { type Repair, type RepairRequest, isWhole, planRepair, repairLogFile } from './repair/repair.ts';
