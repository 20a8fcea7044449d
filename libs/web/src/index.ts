export {
  type Call,
  type FileAddress,
  type FileAddresses,
  type Operation,
  type Ports,
  type Reply,
  type RequestSchemas,
  type View,
  operation,
} from './operations/operation.ts';
export { type Deciding, accepted, asOf, attempt, readingAgain } from './operations/decide.ts';
export { requireScope } from './operations/access.ts';
export { breakingOff } from './replies/answer.ts';
export { Problem } from './replies/problem.ts';
export { errorBody } from './replies/error-body.ts';
export { problemBody, problemFrom } from './replies/problem-body.ts';
export { type StatusTable, disagreements, problemOf } from './operations/rejected.ts';
export { refuseVisitorsWhereClosed } from './operations/closure.ts';
export { type Middleware, type MountOptions, logFailure, mount } from './operations/mount.ts';
export type { OperationRequest, OperationResponse } from './http/local-exchange.ts';
export type { WireExchange } from './http/exchange.ts';
export { type CursorCodec, cursorCodec } from './lists/cursor-codec.ts';
export { listOf, listQuery, listReply } from './lists/paging.ts';
export { type AccessLine, type Logger, silentLogger } from './http/access-log.ts';
export { alreadyHas, expectedVersions, etagOf } from './requests/precondition.ts';
export { narrow } from './replies/view-filter.ts';
export { memoized } from './replies/immutable.ts';
export { describe } from './openapi/openapi.ts';
export { checkOperations } from './openapi/conformance.ts';
export { type Admission, rateLimitHeaders, rateLimitHeadersOf, refuseBeyond } from './limits/admission.ts';
export { type Policy, perDay, perHour, perMinute, scaled } from './limits/policy.ts';
export { FairQueue } from './limits/fair-queue.ts';
export { type SchedulerLimits, SchoolScheduler, type Work } from './limits/school-scheduler.ts';
export { RateLimiter } from './limits/rate-limiter.ts';
export { addressNetwork, addressPartition } from './limits/address-partition.ts';
export { type Expansions, expandedIn } from './operations/expansion.ts';
export { expandOf, fieldsOf } from './lists/selection.ts';
export { CsvFiles, type CsvPage } from './lists/csv-file.ts';
export { csvLine } from './lists/csv-line.ts';
export { filterConditions, given, listFilters, orderOf, queryAny, statusCondition } from './lists/filters.ts';
export { safePath } from './http/safe-path.ts';
export { type Cookie, cookieAt, cookieLine, readCookie, sentCookies, sessionCookie } from './http/cookies.ts';
export { anyOrigin, readableByAnyOrigin, sendableFromAnyOrigin } from './http/cors.ts';
export { allowed, methodNotAllowed, namedMethod } from './http/methods.ts';
export { readBytes } from './requests/read-bytes.ts';
export { appliedWait, patienceOf, seatWaitingHeaders } from './requests/preferred-wait.ts';
export { requestIdOf } from './http/request-id.ts';
export { spanFields, traceIdOf } from './http/trace-context.ts';
export { checkOrigin, isLoopback } from './http/origin.ts';
export { alignHeaders } from './http/request-headers.ts';
export { answerError, answerJson, forEachHeader, setHeaders } from './http/server-response.ts';
