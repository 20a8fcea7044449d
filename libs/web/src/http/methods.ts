import { Problem } from '../replies/problem.ts';

/** The methods that a path answers, for people and programs that ask: those that it declares, HEAD beside GET, and OPTIONS. */
export const allowed = (methods: readonly string[]): string => [...methods, 'OPTIONS'].join(', ');

/** The refusal of another method. @see RFC 9110 §15.5.6 */
export const methodNotAllowed = (methods: readonly string[]): Problem =>
  new Problem('method_not_allowed', undefined, { headers: { Allow: allowed(methods) } });

const named: ReadonlySet<string> = new Set([
  'CONNECT',
  'DELETE',
  'GET',
  'HEAD',
  'OPTIONS',
  'PATCH',
  'POST',
  'PUT',
  'TRACE',
]);

/** A method as metrics and traces name it. @see OpenTelemetry semantic conventions, `http.request.method` */
export const namedMethod = (method: string): string => (named.has(method) ? method : '_OTHER');
