import type { Step } from '../../http/exchange/exchange.ts';
import { AuthorizationError } from '../../http/replies/failures.ts';
import { readIdTokenHint } from '../../domain/tokens/id-token-hint.ts';

/** Reads whom the client expects to be signed in. @see OIDC Core §3.1.2.1, §3.1.2.2 */
export const readHint: Step = async (exchange) => {
  const token = exchange.the('parameters').get('id_token_hint');
  if (token === undefined) return;
  const hint = await readIdTokenHint(exchange.ports, exchange.school, token);
  // What another client was told of a person is nothing that this one may ask by.
  if (hint?.aud !== exchange.the('client').id)
    throw new AuthorizationError('invalid_request', 'id_token_hint is not an ID token of this server for this client');
  exchange.know('hinted', hint.sub);
};
