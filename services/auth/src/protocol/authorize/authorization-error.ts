import type { ErrorCode } from '@lyceum/contracts';

/** Error codes of a redirect to the client. @see RFC 6749 §4.1.2.1, OIDC Core §3.1.2.6 */
export type AuthorizationCode =
  | Extract<
      ErrorCode,
      | 'invalid_request'
      | 'unauthorized_client'
      | 'access_denied'
      | 'unsupported_response_type'
      | 'invalid_scope'
      | 'invalid_target'
      | 'server_error'
      | 'temporarily_unavailable'
    >
  | 'login_required'
  | 'consent_required'
  | 'interaction_required'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  | 'registration_not_supported';

/** A refusal that is reported to the client by a redirect, once its redirect URI is checked. `message` is public. */
export class AuthorizationError extends Error {
  override readonly name = 'AuthorizationError';
  readonly code: AuthorizationCode;

  constructor(code: AuthorizationCode, description: string) {
    super(description);
    this.code = code;
  }
}
