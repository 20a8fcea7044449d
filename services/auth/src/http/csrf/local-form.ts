import { readForm } from '../requests/body.ts';
import { knowVisit } from '../../protocol/authorize/interaction.ts';
import type { Exchange, Step } from '../exchange/exchange.ts';
import { PageProblem } from '../replies/failures.ts';
import { ownPaths } from '../../local-paths.ts';

/** Recognises the browser, before anyone is signed in. */
export const recogniseVisit: Step = (exchange) => knowVisit(exchange);

/** Reads a form of one of a person's own pages. */
export const readOwnForm: Step = async (exchange) => {
  exchange.know('form', await readForm(exchange.request));
};

/** The tag in the forms of a person's own pages: good for this browser and this sign-in, if there is one. */
export const ownFormToken = (exchange: Exchange): string => exchange.ports.sealer.tag('csrf', partsOf(exchange));

/** What a person sees whose form is from another browser, another sign-in or another site. */
export const formNotOurs = (): PageProblem =>
  new PageProblem(403, 'access_denied', 'formRefused', 'formNotOursReload', {
    href: ownPaths.account,
    label: 'accountNavigation',
  });

/**
 * The form comes from our own page in the same browser and the same sign-in.
 * @see RFC 6749 §10.12, RFC 9700 §4.7
 */
export const checkOwnForm: Step = (exchange) => {
  const token = exchange.the('form').get('csrf') ?? '';
  if (!exchange.ports.sealer.tagged('csrf', partsOf(exchange), token)) throw formNotOurs();
};

const partsOf = (exchange: Exchange): readonly string[] => [
  'own',
  exchange.school.id,
  exchange.the('visit'),
  exchange.maybe('session')?.hash ?? '',
];
