import type { Exchange, Step } from '../../http/exchange/exchange.ts';
import { PageProblem } from '../../http/replies/failures.ts';

/** The tag that a page puts in its form: good for this browser, this request and, on consent, this session. */
export const csrfToken = (exchange: Exchange, page: 'sign-in' | 'consent'): string =>
  exchange.ports.sealer.tag('csrf', partsOf(exchange, page));

/**
 * The form comes from our own page in the same browser. Another site can neither read the tag nor make one.
 * @see RFC 6749 §10.12, RFC 9700 §4.7
 */
export const checkForgery =
  (page: 'sign-in' | 'consent'): Step =>
  (exchange) => {
    const token = exchange.the('form').get('csrf') ?? '';
    if (!exchange.ports.sealer.tagged('csrf', partsOf(exchange, page), token))
      throw new PageProblem(403, 'access_denied', 'formRefused', 'formNotOurs');
  };

const partsOf = (exchange: Exchange, page: string): readonly string[] => [
  page,
  exchange.school.id,
  exchange.the('visit'),
  page === 'consent' ? exchange.the('session').hash : '',
  exchange.the('interaction'),
];
