import { isScope } from '@lyceum/contracts';
import { documentHost } from '../../domain/clients/document-id.ts';
import { redirectHost } from '../../domain/clients/redirect-uri.ts';
import { isConsented, rememberConsent } from '../../domain/consents/consent-registry.ts';
import { grantable } from '../../domain/grants/scopes.ts';
import type { Exchange, Step } from '../../http/exchange/exchange.ts';
import { formSlot } from '../../http/exchange/parameters.ts';
import { pageReply } from '../../http/replies/page-reply.ts';
import { accountSlot } from '../../http/session/browser-session.ts';
import { interactionPaths } from '../../local-paths.ts';
import { consentPage } from '../../pages/consent-page.ts';
import { isReference } from '../clients/reference-client.ts';
import { clientSlot } from '../clients/requesting-client.ts';
import { AuthorizationError } from './authorization-error.ts';
import { authorizationRequestSlot } from './authorization-request.ts';
import { issueCode } from './code-response.ts';
import { csrfToken } from './interaction-csrf.ts';
import { signInAsAnother, interactionSlot } from './interaction.ts';
import { hintedAccountSlot } from './read-id-token-hint.ts';
import { redirectUriSlot } from './redirect-target.ts';

/** Something is left to grant to a person with this role. @see RFC 6749 §3.3 */
export const checkGrantable: Step = (exchange) => {
  if (offered(exchange).length === 0)
    throw new AuthorizationError('invalid_scope', 'None of the requested scopes is open to this person');
};

/**
 * Passes by the page when the person agreed to all of this before, and only a client that can prove who it is gets the
 * code: anything more, `prompt=consent`, and another name or address of a client that registered itself ask again.
 * @see OIDC Core §3.1.2.4, RFC 6749 §10.2
 */
export const skipRememberedConsent: Step = async (exchange) => {
  const { prompts, resource } = exchange.require(authorizationRequestSlot);
  if (!isConfidential(exchange) || prompts.has('consent')) return;
  const scopes = offered(exchange);
  const { renamed } = exchange.require(clientSlot);
  if (await isConsented(exchange.ports, partiesOf(exchange), { scopes, resource }, renamed))
    await issueCode(exchange, scopes);
};

/**
 * Asks the person, every time unless the client is confidential: anyone can pretend to be a client that has no secret.
 * @see RFC 8252 §8.6, OIDC Core §3.1.2.4, §3.1.2.6
 */
export const askForConsent: Step = (exchange) => {
  if (exchange.require(authorizationRequestSlot).prompts.has('none'))
    throw new AuthorizationError('consent_required', 'The person has to agree');
  show(exchange);
};

function show(exchange: Exchange, problem?: string): void {
  const { metadata, id } = exchange.require(clientSlot);
  const document = documentHost(id);
  const isOwn = isReference(exchange.school, id);
  const { name, email } = exchange.require(accountSlot);
  const hidden = { interaction: exchange.require(interactionSlot), csrf: csrfToken(exchange, 'consent') };
  const shown = {
    form: { action: interactionPaths.consent, hidden },
    client: {
      name: metadata.client_name ?? id,
      redirectHost: redirectHost(exchange.require(redirectUriSlot)),
      ...(isOwn ? { isOwn } : document === undefined ? {} : { describedAt: document }),
    },
    account: { name, email },
    // A client that names the person who has to be signed in refuses everybody else.
    ...(exchange.get(hintedAccountSlot) === undefined ? { anotherAccount: signInAsAnother(exchange) } : {}),
    scopes: offered(exchange).map((name) => ({ name, writes: name.endsWith(':write') })),
    ...(problem === undefined ? {} : { problem }),
  };
  exchange.reply = pageReply(exchange, consentPage, shown, { status: problem === undefined ? 200 : 400 });
}

/** Takes the person's decision: never more than was offered. Approval without a ticked scope is asked for again. */
export const decideConsent: Step = async (exchange) => {
  const form = exchange.require(formSlot);
  const decision = form.get('decision');
  if (decision === 'deny') throw new AuthorizationError('access_denied', 'The person declined');
  if (decision !== 'approve') return show(exchange, exchange.texts.useTheButtons);
  const ticked = new Set(form.all('scope').filter(isScope));
  const granted = offered(exchange).filter((scope) => ticked.has(scope));
  if (granted.length === 0) return show(exchange, exchange.texts.scopesMissing);
  const { resource } = exchange.require(authorizationRequestSlot);
  if (isConfidential(exchange))
    await rememberConsent(exchange.ports, partiesOf(exchange), { scopes: granted, resource });
  await issueCode(exchange, granted);
};

const isConfidential = (exchange: Exchange): boolean =>
  exchange.require(clientSlot).metadata.token_endpoint_auth_method !== 'none';

const partiesOf = (exchange: Exchange) => ({
  school: exchange.school.id,
  account: exchange.require(accountSlot).id,
  client: exchange.require(clientSlot).id,
});

const offered = (exchange: Exchange) =>
  grantable(exchange.require(authorizationRequestSlot).scopes, exchange.require(accountSlot).role);
