export { type Clock, systemClock, isoTime } from './time/clock.ts';
export { halfUp, percentOf, split } from './rounding.ts';
export { atMoments, nextMoment } from './time/moments.ts';
export { daysLater, isTimeZone, localDay, monthsLater, mostShift, startOfDay } from './time/local-time.ts';
export { type Ids, systemIds, uuidv5, uuidv7 } from './ids.ts';
export { freezeShared, shared } from './concurrency/shared.ts';
export { type Rejection, type Detail, reject, isRejection } from './domain/rejection.ts';
export {
  type DomainEvent,
  type Parser,
  type EventType,
  type EventTypes,
  type EventOf,
  type RecordedEvent,
  UnknownEvent,
  checkEvent,
  upcast,
} from './domain/events.ts';
export { type Meta, type EventContext, type Claim, type SideEvent, type Decider } from './domain/decider.ts';
export {
  type SubjectErased,
  erasedSubject,
  erasureEvents,
  erasureStream,
  ofStream,
  personal,
  subjectOfStream,
} from './domain/personal.ts';
export { type Checkpoint, OtherHistory, checkpointFrom, isSameCommit } from './checkpoint.ts';
export { decrypt, encrypt } from './crypto/encryption.ts';
export { isSecret, sameBytes } from './crypto/secrets.ts';
export { BoundedMap } from './bounded-map.ts';
export { same } from './json-equality.ts';
export { type Named, type Recorded, differences, named, recording, renamed, unrecorded } from './domain/recording.ts';
export { codeOf, messageOf } from './error-code.ts';
export { isObject, isOneOf } from './type-guards.ts';
export { keysOf, recordOf } from './typed-keys.ts';
export { jsonCopy, storedJson } from './stored-json.ts';
export { together } from './concurrency/together.ts';
export {
  type Span,
  type SpanAttributes,
  type SpanKind,
  type SpanStart,
  type Tracer,
  inSpan,
  isSampled,
  spanAttributes,
} from './tracing.ts';
