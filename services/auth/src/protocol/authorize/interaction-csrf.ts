import { browserSecretSlot } from '../../http/cookies/browser-cookie.ts';
import { type Exchange, type Step, refusing } from '../../http/exchange/exchange.ts';
import { formSlot } from '../../http/exchange/parameters.ts';
import { PageProblem } from '../../http/replies/page-problem.ts';
import { sessionSlot } from '../../http/session/browser-session.ts';
import { interactionSlot } from './interaction.ts';

/** The tag that a page puts in its form: good for this browser, this request and, on consent, this session. */
export const csrfToken = (exchange: Exchange, page: 'sign-in' | 'consent'): string =>
  exchange.ports.sealer.tag('csrf', partsOf(exchange, page));

/**
 * The form comes from our own page in the same browser. Another site can neither read the tag nor make one.
 * @see RFC 6749 §10.12, RFC 9700 §4.7
 */
export const checkInteractionForm = (page: 'sign-in' | 'consent'): Step =>
  refusing(['access_denied'], (exchange) => {
    const token = exchange.require(formSlot).get('csrf') ?? '';
    if (!exchange.ports.sealer.tagged('csrf', partsOf(exchange, page), token))
      throw new PageProblem(403, 'access_denied', 'formRefused', 'formNotOurs');
  });

const partsOf = (exchange: Exchange, page: string): readonly string[] => [
  page,
  exchange.school.id,
  exchange.require(browserSecretSlot),
  page === 'consent' ? exchange.require(sessionSlot).hash : '',
  exchange.require(interactionSlot),
];
