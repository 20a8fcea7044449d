import type { ErrorCode } from '@lyceum/contracts';
import { english } from '../../pages/texts/en.ts';
import type { PlainKey } from '../../pages/texts/texts.ts';

/** Error codes that only travel in a redirect to the client. @see RFC 6749 §4.1.2.1, OIDC Core §3.1.2.6 */
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

/** A refusal that the client is told by a redirect, once it is known where to. `message` is public. */
export class AuthorizationError extends Error {
  override readonly name = 'AuthorizationError';
  readonly code: AuthorizationCode;

  constructor(code: AuthorizationCode, description: string) {
    super(description);
    this.code = code;
  }
}

/** What helps a person whom a page refuses something. */
interface WayOut {
  readonly href: string;
  readonly label: PlainKey;
}

/** A refusal that only the person sees, because there is no address that could be trusted. Its sentences are in the catalogue. */
export class PageProblem extends Error {
  override readonly name = 'PageProblem';
  readonly status: number;
  readonly title: PlainKey;
  readonly explanation: PlainKey;
  readonly code: ErrorCode;
  readonly wayOut: WayOut | undefined;

  constructor(status: number, code: ErrorCode, title: PlainKey, explanation: PlainKey, wayOut?: WayOut) {
    super(english[explanation]);
    this.status = status;
    this.code = code;
    this.title = title;
    this.explanation = explanation;
    this.wayOut = wayOut;
  }
}
