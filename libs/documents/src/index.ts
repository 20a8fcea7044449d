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
