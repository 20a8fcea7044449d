/** An error code: its HTTP status and what it means to a client developer. */
export interface ErrorEntry {
  readonly status: number;
  readonly means: string;
}

/**
 * Every error code that a body may carry, with its status. OAuth codes keep the statuses of their RFCs.
 * @see RFC 6749 §5.2, RFC 6750 §3.1, RFC 7591 §3.2.2, RFC 8707 §2
 */
export const errors = {
  invalid_request: { status: 400, means: 'The request is malformed' },
  invalid_grant: {
    status: 400,
    means: 'The code or refresh token is invalid, expired, used or issued to another client',
  },
  invalid_client: { status: 401, means: 'Client authentication failed' },
  invalid_scope: { status: 400, means: 'A requested scope is unknown or exceeds what was granted' },
  invalid_target: { status: 400, means: 'The requested resource is not an API of this school' },
  unauthorized_client: { status: 400, means: 'The client may not use this grant type' },
  unsupported_grant_type: { status: 400, means: 'The grant type is not supported' },
  unsupported_response_type: { status: 400, means: 'The response type is not supported' },
  invalid_redirect_uri: { status: 400, means: 'A redirect URI is not a loopback address' },
  invalid_client_metadata: { status: 400, means: 'A client metadata field has an unacceptable value' },
  invalid_software_statement: { status: 400, means: 'Software statements are not supported' },
  invalid_token: { status: 401, means: 'The access token is malformed, expired, revoked or meant for another school' },
  insufficient_scope: { status: 403, means: 'The access token lacks a scope that this operation needs' },
  access_denied: { status: 403, means: 'The caller may not do this' },
  not_found: { status: 404, means: 'There is no such thing here, or the caller may not know of it' },
  method_not_allowed: { status: 405, means: 'The path does not support this method' },
  gone: { status: 410, means: 'It was here and is not any more' },
  school_closed: { status: 410, means: 'The school is closed for ever' },
  slug_taken: { status: 409, means: 'Another item of the school has this slug' },
  reserved_slug: { status: 409, means: 'The slug is kept for the platform or for pages that every school has' },
  system_page: { status: 409, means: 'Every school has this page: it can be unpublished, not removed' },
  in_past: { status: 409, means: 'The time is not in the future' },
  email_taken: { status: 409, means: 'Somebody else in the school has this e-mail address' },
  host_taken: { status: 409, means: 'Another school has this host name' },
  domain_taken: { status: 409, means: 'Another school has this domain' },
  domain_unproven: { status: 409, means: 'The TXT record that proves the domain was not found' },
  last_owner: { status: 409, means: 'The school would be left without an active owner' },
  role_not_allowed: { status: 409, means: 'Your own role does not allow giving or taking this role' },
  erased: { status: 409, means: 'The person is erased; nothing brings them back' },
  not_ready: { status: 409, means: 'What publishing needs is not complete' },
  invalid_state: { status: 409, means: 'The current state does not allow this' },
  assigned: { status: 409, means: 'A published course would be left without a lecturer' },
  member_taken: { status: 409, means: 'Another profile is linked to this member' },
  last_lesson: { status: 409, means: 'A published course would be left without a published lesson' },
  order_mismatch: { status: 409, means: 'The order must name every section and lesson exactly once' },
  cycle: { status: 409, means: 'A lesson would wait for one that does not come before it' },
  already_granted: { status: 409, means: 'The person has this access already' },
  not_entitled: { status: 409, means: 'The person has no access to the course, and may not take it' },
  locked_lesson: { status: 409, means: 'The lesson is not open to the person yet' },
  currency_locked: { status: 409, means: 'The school has sold something in its present currency' },
  import_running: { status: 409, means: 'Another import of the school is still running' },
  coupon_invalid: { status: 409, means: 'The coupon does not count here, or not any more' },
  code_taken: { status: 409, means: 'Another coupon of the school has this code' },
  redeemed: { status: 409, means: 'The coupon was redeemed: what it is worth stays as it is' },
  registration_closed: { status: 409, means: 'Nobody can register for the event now' },
  started: { status: 409, means: 'The event has started' },
  capacity_below_confirmed: { status: 409, means: 'More people have a seat than there would be' },
  sold_out: { status: 409, means: 'Nothing of it is left' },
  price_changed: { status: 409, means: 'It has another price by now' },
  already_owned: { status: 409, means: 'The person has it already' },
  currency_mismatch: { status: 409, means: 'It has a price in another currency' },
  has_subscribers: { status: 409, means: 'Somebody has bought the plan at these terms' },
  already_subscribed: { status: 409, means: 'The person has a subscription to the plan' },
  already_canceled: { status: 409, means: 'The subscription was canceled before' },
  has_enrollments: { status: 409, means: 'Someone is enrolled' },
  attempts_exhausted: { status: 409, means: 'The quiz may not be attempted more often' },
  download_limit: { status: 409, means: 'The person has downloaded as often as the digital product allows' },
  comments_closed: { status: 409, means: 'Nobody can comment on it' },
  host_locked: { status: 409, means: 'Whoever comments on it needs access to it' },
  size_mismatch: { status: 409, means: 'Not all bytes that were announced have arrived' },
  checksum_mismatch: { status: 409, means: 'The bytes are not those that were announced' },
  offset_mismatch: {
    status: 409,
    means: 'The bytes do not follow those that have arrived: Upload-Offset says how many',
  },
  file_not_ready: {
    status: 409,
    means: 'The file is not ready yet: its upload is not complete, or it is being checked',
  },
  in_use: { status: 409, means: 'Something names the file' },
  idempotency_in_progress: { status: 409, means: 'A request with this Idempotency-Key is still running' },
  precondition_failed: { status: 412, means: 'The version in If-Match is not the current one' },
  payload_too_large: { status: 413, means: 'The body is larger than this endpoint accepts' },
  range_not_satisfiable: { status: 416, means: 'Nothing of the file is in the range' },
  unsupported_media_type: { status: 415, means: 'The body has a media type that this endpoint does not accept' },
  validation_failed: { status: 422, means: 'A field has an unacceptable value' },
  idempotency_key_reused: { status: 422, means: 'This Idempotency-Key was used for another request' },
  precondition_required: { status: 428, means: 'The request needs an If-Match header' },
  rate_limited: { status: 429, means: 'Too many requests' },
  server_error: { status: 500, means: 'The server failed' },
  quota_exceeded: { status: 507, means: 'The school may not have so much in storage' },
  school_suspended: { status: 503, means: 'The school is suspended by its operator' },
  outcome_unknown: { status: 503, means: 'It may or may not have been done: look before you ask again' },
  temporarily_unavailable: { status: 503, means: 'The service cannot answer now; retry later' },
} as const satisfies Record<string, ErrorEntry>;

/** An error code. */
export type ErrorCode = keyof typeof errors;

/** Whether a string is an error code of the table. */
export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errors, code);
