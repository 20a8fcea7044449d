import type { Exchange } from '../http/exchange/exchange.ts';
import { formSlot } from '../http/exchange/parameters.ts';
import { PageProblem } from '../http/replies/page-problem.ts';
import { accountPaths, resetPath } from '../local-paths.ts';
import { type LinkKind, type LinkOf, openLink } from './mail-links.ts';

/** Where a person gets another link of the kind, or what else the link was for. */
const waysOut = {
  reset: { href: resetPath, label: 'askAnotherLink' },
  verify: { href: accountPaths.email, label: 'askAnotherLink' },
  change: { href: accountPaths.account, label: 'accountNavigation' },
  invitation: { href: accountPaths.account, label: 'signIn' },
} as const;

/** The same words for every link that does nothing: altered, used, expired, of another school. */
export const linkProblem = (kind: keyof typeof waysOut): PageProblem =>
  new PageProblem(400, 'invalid_request', 'linkInvalidTitle', 'linkInvalid', waysOut[kind]);

/** The token of the link that was followed, or of the form on its page. */
export const tokenOf = (exchange: Exchange): string => {
  return exchange.get(formSlot)?.get('token') ?? exchange.query.get('token') ?? '';
};

/** What the link of the request says. Throws the page about links that do nothing. */
export function linkOf<Kind extends LinkKind & keyof typeof waysOut>(exchange: Exchange, kind: Kind): LinkOf<Kind> {
  const { ports, school } = exchange;
  const link = openLink(ports.sealer, school, kind, tokenOf(exchange), ports.clock.now());
  if (!link) throw linkProblem(kind);
  return link;
}
