export {
  type Call,
  type Operation,
  type Ports,
  type Reply,
  type RequestSchemas,
  type View,
  operation,
} from './operation.ts';
export { type Deciding, accepted, asOf, attempt, readingAgain } from './decide.ts';
export { Problem } from './problem.ts';
export { problemBody, problemFrom } from './problem-body.ts';
export { type StatusTable, disagreements, problemOf } from './rejected.ts';
export { type MountOptions, mount } from './mount.ts';
export type { InnerAnswer, InnerQuestion } from './inner-exchange.ts';
export { type CursorCodec, cursorCodec } from './cursor-codec.ts';
export { listOf, listQuery, listReply } from './paging.ts';
export { type AccessLine, type Logger, silentLogger } from './access-log.ts';
export { alreadyHas, expectedVersions, etagOf } from './precondition.ts';
export { narrow } from './view-filter.ts';
export { jsonOf, lasting } from './lasting.ts';
export { describe } from './openapi.ts';
export { checkOperations } from './conformance.ts';
export { type Admission, rateLimitHeaders, rateLimitHeadersOf, refuseBeyond } from './limits/admission.ts';
export { type Policy, perMinute, scaled } from './limits/policy.ts';
export { FairLine } from './limits/fair-line.ts';
export { type TurnLimits, Turns, type Work } from './limits/turns.ts';
export { RateLimiter } from './limits/rate-limiter.ts';
export { addressNetwork, addressPartition } from './limits/address-partition.ts';
export { type Expansions, expandedIn } from './expansion.ts';
export { expandOf, fieldsOf } from './selection.ts';
export { filterConditions, given, listFilters, orderOf, queryAny, statusCondition } from './filters.ts';
export { safePath } from './safe-path.ts';
export { traceIdOf } from './trace-context.ts';
export { checkOrigin, isLoopback } from './origin.ts';
export { alignHeaders } from './request-headers.ts';
export { answerError, answerJson, setHeaders } from './server-response.ts';
