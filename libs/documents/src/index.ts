export {
  type Collection,
  type Condition,
  type Document,
  type Documents,
  type FieldKind,
  type Found,
  type Page,
  type Query,
  type Scalar,
  type Write,
  CheckpointFenced,
  DeclarationChanged,
  DocumentsUnavailable,
  InvalidQuery,
  rowAs,
} from './port.ts';
export { tenantsOf } from './collection/tenants.ts';
export { memoryDocuments } from './memory/memory.ts';
export { type SqliteDocumentsOptions, sqliteDocuments } from './sqlite/sqlite.ts';
export { type MongodbDocumentsOptions, mongodbDocuments } from './mongodb/mongodb.ts';
export {
  type Incoming,
  type IncomingCommit,
  eventGuard,
  incomingFromCommit,
  incomingFromMessage,
} from './projector/incoming.ts';
export { type Erasure } from './erasure.ts';
export { type Folding, type Projection, foldingProjection } from './projection.ts';
export { type History, type ProjectorOptions, type Wanted } from './projector/projector-options.ts';
export { type Projector, projector } from './projector/projector.ts';
export { ProjectionGap } from './projector/fresh-commits.ts';
export { type Redriven, ProjectionFailed } from './projector/lane-projector.ts';
export { type Parked } from './projector/parked.ts';
export { type LiveDocuments, type LiveOptions, liveDocuments } from './read-model/live-documents.ts';
export { areAhead } from './read-model/ahead.ts';
export { type ErasedAt, purgedUpTo } from './read-model/following-erasures.ts';
export { type Keeping } from './read-model/build-register.ts';
export { type Builder, type BuilderOptions, builder } from './read-model/builder.ts';
export type { Feed, Fed } from './read-model/feed.ts';
export { type ReadModel, readModel } from './read-model/read-model.ts';
export type { ReadModelOptions } from './read-model/read-model-options.ts';
