import { accountPaths } from '../../local-paths.ts';
import { browserSecretSlot } from '../cookies/browser-cookie.ts';
import { type Exchange, type Step, refusing } from '../exchange/exchange.ts';
import { formSlot } from '../exchange/parameters.ts';
import { PageProblem } from '../replies/page-problem.ts';
import { readForm } from '../requests/body.ts';
import { sessionSlot } from '../session/browser-session.ts';

/** Reads a form of one of a person's own pages. */
export const readLocalForm: Step = async (exchange) => {
  exchange.set(formSlot, await readForm(exchange.request));
};

/** The tag in the forms of a person's own pages: good for this browser and this sign-in, if there is one. */
export const localFormToken = (exchange: Exchange): string => exchange.ports.sealer.tag('csrf', partsOf(exchange));

/** What a person sees whose form is from another browser, another sign-in or another site. */
export const formNotOurs = (): PageProblem =>
  new PageProblem(403, 'access_denied', 'formRefused', 'formNotOursReload', {
    href: accountPaths.account,
    label: 'accountNavigation',
  });

/**
 * The form comes from our own page in the same browser and the same sign-in.
 * @see RFC 6749 §10.12, RFC 9700 §4.7
 */
export const checkLocalForm: Step = refusing(['access_denied'], (exchange) => {
  const token = exchange.require(formSlot).get('csrf') ?? '';
  if (!exchange.ports.sealer.tagged('csrf', partsOf(exchange), token)) throw formNotOurs();
});

const partsOf = (exchange: Exchange): readonly string[] => [
  'own',
  exchange.school.id,
  exchange.require(browserSecretSlot),
  exchange.get(sessionSlot)?.hash ?? '',
];
