import { Problem } from '../replies/problem.ts';

/** The methods that a path answers, for people and programs that ask: those that it declares, HEAD beside GET, and OPTIONS. */
export const allowed = (methods: readonly string[]): string => [...methods, 'OPTIONS'].join(', ');

/** The refusal of another method. @see RFC 9110 §15.5.6 */
export const methodNotAllowed = (methods: readonly string[]): Problem =>
  new Problem('method_not_allowed', undefined, { headers: { Allow: allowed(methods) } });
