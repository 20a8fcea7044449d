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
export { sqliteDocuments } from './sqlite.ts';
export { type Incoming, type IncomingCommit, incomingFromCommit, incomingFromMessage } from './incoming.ts';
export { type Projection } from './projection.ts';
export { type History, type ProjectorOptions } from './projector-options.ts';
export { type Projector, projector } from './projector.ts';
export { type Redriven, ProjectionFailed, ProjectionGap } from './lane-projector.ts';
export { type Parked } from './parked.ts';
