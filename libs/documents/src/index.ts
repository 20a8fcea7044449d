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
} from './port.ts';
export { memoryDocuments } from './memory.ts';
export { type SqliteDocumentsOptions, sqliteDocuments } from './sqlite.ts';
export { type MongodbDocumentsOptions, mongodbDocuments } from './mongodb.ts';
export { type Incoming, type IncomingCommit, incomingFromCommit, incomingFromMessage } from './incoming.ts';
export { type Erasure } from './erasure.ts';
export { type Projection } from './projection.ts';
export { type History, type ProjectorOptions, type Wanted } from './projector-options.ts';
export { type Projector, projector } from './projector.ts';
export { ProjectionGap } from './fresh-commits.ts';
export { type Redriven, ProjectionFailed } from './lane-projector.ts';
export { type Parked } from './parked.ts';
export { type LiveDocuments, type LiveOptions, liveDocuments } from './live-documents.ts';
export { areAhead } from './ahead.ts';
export { type ErasedAt, purgedUpTo } from './following-erasures.ts';
export { type Keeping } from './build-register.ts';
export { type Builder, type BuilderOptions, builder } from './builder.ts';
export type { Feed, Fed } from './feed.ts';
export { type ReadModel, readModel } from './read-model.ts';
export type { ReadModelOptions } from './read-model-options.ts';
