import { readIdTokenHint } from '../../domain/tokens/id-token-hint.ts';
import type { Step } from '../../http/exchange/exchange.ts';
import { parametersSlot } from '../../http/exchange/parameters.ts';
import { slot } from '../../http/exchange/slot.ts';
import { clientSlot } from '../clients/requesting-client.ts';
import { AuthorizationError } from './authorization-error.ts';

/** The account that the client expects to be signed in. */
export const hintedAccountSlot = slot<string>('the hinted account');

/** Reads the account that the client expects to be signed in. @see OIDC Core §3.1.2.1, §3.1.2.2 */
export const readIdTokenHintParameter: Step = async (exchange) => {
  const token = exchange.require(parametersSlot).get('id_token_hint');
  if (token === undefined) return;
  const hint = await readIdTokenHint(exchange.ports, exchange.school, token);
  // An ID token that was issued to another client is no hint that this one may send.
  if (hint?.aud !== exchange.require(clientSlot).id)
    throw new AuthorizationError('invalid_request', 'id_token_hint is not an ID token of this server for this client');
  exchange.set(hintedAccountSlot, hint.sub);
};
