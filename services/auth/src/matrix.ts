import { oauthPaths } from '@lyceum/contracts';
import type { Policy } from '@lyceum/web';
import {
  disconnect,
  endEverything,
  endOneSession,
  goToAccountPages,
  showClients,
  showSessions,
} from './account-pages/account-pages.ts';
import { identifyBrowser } from './http/cookies/browser-cookie.ts';
import { exportEndpoint } from './exports/export-matrix.ts';
import { checkLocalForm, readLocalForm } from './http/csrf/local-form.ts';
import { type Endpoint, type Row, column, columns, o, x } from './http/exchange/endpoint.ts';
import { recogniseSession } from './http/session/browser-session.ts';
import { limitByAddress, limitByClientAndAddress, policies } from './http/steps/limits.ts';
import { readFormParameters, refuseRepeatedParameters } from './http/steps/read-form.ts';
import { refuseWithheldSchool } from './http/steps/refuse-withheld.ts';
import { accountPaths, interactionPaths } from './local-paths.ts';
import { authorizationFailure, authorizationFormFailure } from './protocol/authorize/authorization-failure.ts';
import {
  checkClientMayAuthorize,
  checkParameters,
  checkResponseType,
  refuseRepeatedInRequest,
  refuseRequestObjects,
} from './protocol/authorize/check-request.ts';
import { askForConsent, checkGrantable, decideConsent, skipRememberedConsent } from './protocol/authorize/consent.ts';
import { checkInteractionForm } from './protocol/authorize/interaction-csrf.ts';
import { readAuthorizationRequest, readPageForm, sealInteraction } from './protocol/authorize/interaction.ts';
import { readIdTokenHintParameter } from './protocol/authorize/read-id-token-hint.ts';
import { checkRedirectUri, findRequestingClient } from './protocol/authorize/redirect-target.ts';
import { requireSignIn, resumeWhenSignedOut, signIn } from './protocol/authorize/sign-in.ts';
import { authenticateClient } from './protocol/clients/authenticate-client.ts';
import { limitByClient } from './protocol/clients/requesting-client.ts';
import { answerJwks } from './protocol/jwks.ts';
import { logoutEndpoints } from './protocol/logout/logout-matrix.ts';
import {
  answerClientInformation,
  authorizeManager,
  deleteRegistration,
  updateRegistration,
} from './protocol/registration/manage-registration.ts';
import { answerRegistration, readMetadata } from './protocol/registration/register.ts';
import { checkCodeParameters, redeemCode } from './protocol/token/code-grant.ts';
import { byGrantType, checkGrantType } from './protocol/token/grant-type.ts';
import { introspectToken } from './protocol/token/introspect.ts';
import { recordClientUse } from './protocol/token/note-client-use.ts';
import { checkRefreshParameters, refreshTokens } from './protocol/token/refresh-grant.ts';
import { checkTokenParameter, revokeToken } from './protocol/token/revoke.ts';
import { answerUserinfo, recogniseAccess, limitBySubject } from './protocol/userinfo/userinfo.ts';
import { recoveryEndpoints } from './recovery/recovery-matrix.ts';
import { openSignIn, requireSession, signInToAccountPages } from './sign-in/local-sign-in.ts';
import { signUpEndpoint } from './sign-up/sign-up-matrix.ts';

/** What the token endpoint does after the checks that all grant types share. */
// prettier-ignore
const grants: readonly Row[] = [
  //                                  code  refresh
  [checkCodeParameters,               x,    o],
  [checkRefreshParameters,            o,    x],
  [redeemCode,                        x,    o],
  [refreshTokens,                     o,    x],
  [recordClientUse,                     x,    x],
];

const giveTokensByGrantType = byGrantType({
  authorization_code: column(grants, 0),
  refresh_token: column(grants, 1),
});

const perClientAndAddress = {
  token: limitByClientAndAddress(policies.token),
  revoke: limitByClientAndAddress(policies.revoke),
};

/** For programs. Rows are checks in order, columns are endpoints. */
// prettier-ignore
const programs: readonly Row[] = [
  //                                  register token revoke introspect userinfo jwks
  [limitByAddress(policies.register), x,       o,    o,     o,         o,       o],
  [readMetadata,                      x,       o,    o,     o,         o,       o],
  [readFormParameters,                o,       x,    x,     x,         o,       o],
  [perClientAndAddress.token,         o,       x,    o,     o,         o,       o],
  [perClientAndAddress.revoke,        o,       o,    x,     o,         o,       o],
  [refuseRepeatedParameters,          o,       x,    x,     x,         o,       o],
  [authenticateClient,                o,       x,    x,     x,         o,       o],
  [limitByClient(policies.introspect),o,       o,    o,     x,         o,       o],
  [recogniseAccess,                   o,       o,    o,     o,         x,       o],
  [limitBySubject(policies.userinfo), o,       o,    o,     o,         x,       o],
  [refuseWithheldSchool,                    o,       x,    o,     o,         o,       o],
  [checkGrantType,                    o,       x,    o,     o,         o,       o],
  [checkTokenParameter,               o,       o,    x,     x,         o,       o],
  [answerRegistration,                x,       o,    o,     o,         o,       o],
  [giveTokensByGrantType,             o,       x,    o,     o,         o,       o],
  [revokeToken,                       o,       o,    x,     o,         o,       o],
  [introspectToken,                   o,       o,    o,     x,         o,       o],
  [answerUserinfo,                    o,       o,    o,     o,         x,       o],
  [answerJwks,                        o,       o,    o,     o,         o,       x],
];

/** A client's own registration. */
// prettier-ignore
const registrations: readonly Row[] = [
  //                                  GET   PUT   DELETE
  [limitByAddress(policies.registration), x, x,   x],
  [authorizeManager,                  x,    x,    x],
  [readMetadata,                      o,    x,    o],
  [answerClientInformation,           x,    o,    o],
  [updateRegistration,                o,    x,    o],
  [deleteRegistration,                o,    o,    x],
];

/**
 * For people. A form of ours carries the request sealed, and everything about it is checked again from the beginning.
 * Up to the redirect URI failures are pages, from there on redirects.
 */
// prettier-ignore
const people: readonly Row[] = [
  //                                  authorize sign-in consent
  [limitByAddress(policies.authorize),x,        o,      o],
  [limitByAddress(policies.forms),    o,        x,      x],
  [refuseWithheldSchool,                    x,        x,      x],
  [readAuthorizationRequest,          x,        o,      o],
  [readPageForm,                      o,        x,      x],
  [findRequestingClient,              x,        x,      x],
  [checkRedirectUri,                  x,        x,      x],
  [checkInteractionForm('sign-in'),           o,        x,      o],
  [refuseRepeatedInRequest,                    x,        x,      x],
  [refuseRequestObjects,              x,        x,      x],
  [checkResponseType,                 x,        x,      x],
  [checkClientMayAuthorize,           x,        x,      x],
  [checkParameters,                   x,        x,      x],
  [readIdTokenHintParameter,                          x,        o,      x],
  [sealInteraction,                   x,        x,      x],
  [recogniseSession,                  x,        x,      x],
  [signIn,                            o,        x,      o],
  [resumeWhenSignedOut,               o,        o,      x],
  [requireSignIn,                     x,        o,      o],
  [checkInteractionForm('consent'),           o,        o,      x],
  [checkGrantable,                    x,        o,      x],
  [skipRememberedConsent,                x,        o,      o],
  [askForConsent,                     x,        o,      o],
  [decideConsent,                     o,        o,      x],
];

type Columns = Parameters<typeof columns>[1];

const program = (path: string, marks: Columns, policy?: Policy): Endpoint => ({
  path,
  reader: 'program',
  operations: columns(programs, marks),
  ...(policy && { policy }),
});

const person = (path: string, marks: Columns): Endpoint => ({
  path,
  reader: 'person',
  failureReply: path === oauthPaths.authorize ? authorizationFailure : authorizationFormFailure,
  operations: columns(people, marks),
});

/** Pages about the account of a signed-in person; without a session the sign-in page comes first. */
// prettier-ignore
const own: readonly Row[] = [
  //                                  account apps disconnect sessions end everywhere sign-in opened
  [limitByAddress(policies.forms),    o,      o,   x,         o,       x,  x,         x,      o],
  [identifyBrowser,                   x,      x,   x,         x,       x,  x,         x,      x],
  [recogniseSession,                  x,      x,   x,         x,       x,  x,         x,      x],
  [readLocalForm,                       o,      o,   x,         o,       x,  x,         x,      o],
  [requireSession,                 o,      x,   x,         x,       x,  x,         o,      o],
  [checkLocalForm,                      o,      o,   x,         o,       x,  x,         x,      o],
  [goToAccountPages,                      x,      o,   o,         o,       o,  o,         o,      o],
  [showClients,                       o,      x,   o,         o,       o,  o,         o,      o],
  [disconnect,                        o,      o,   x,         o,       o,  o,         o,      o],
  [showSessions,                      o,      o,   o,         x,       o,  o,         o,      o],
  [endOneSession,                     o,      o,   o,         o,       x,  o,         o,      o],
  [endEverything,                     o,      o,   o,         o,       o,  x,         o,      o],
  [refuseWithheldSchool,                    o,      o,   o,         o,       o,  o,         x,      o],
  [openSignIn,                        o,      o,   o,         o,       o,  o,         o,      x],
  [signInToAccountPages,                       o,      o,   o,         o,       o,  o,         x,      o],
];

const accountPage = (path: string, marks: Columns): Endpoint => ({
  path,
  reader: 'person',
  operations: columns(own, marks),
});

/** Every endpoint of the authorization server: for each method the id of the operation, and the column of its steps. */
export const endpoints: readonly Endpoint[] = [
  program(oauthPaths.register, { POST: ['registerClient', 0] }, policies.register),
  {
    path: `${oauthPaths.register}/:client`,
    reader: 'program',
    operations: columns(registrations, {
      GET: ['readClient', 0],
      PUT: ['replaceClient', 1],
      DELETE: ['deleteClient', 2],
    }),
  },
  program(oauthPaths.token, { POST: ['issueTokens', 1] }, policies.token),
  program(oauthPaths.revoke, { POST: ['revokeToken', 2] }, policies.revoke),
  program(oauthPaths.introspect, { POST: ['introspectToken', 3] }, policies.introspect),
  program(oauthPaths.userinfo, { GET: ['readUserinfo', 4], POST: ['readUserinfoByForm', 4] }, policies.userinfo),
  program(oauthPaths.jwks, { GET: ['readSigningKeys', 5] }),
  person(oauthPaths.authorize, { GET: ['authorize', 0], POST: ['authorizeByForm', 0] }),
  person(interactionPaths.signIn, { POST: ['signIn', 1] }),
  person(interactionPaths.consent, { POST: ['decideConsent', 2] }),
  accountPage(accountPaths.account, { GET: ['openAccount', 0] }),
  accountPage(accountPaths.apps, { GET: ['showConnectedClients', 1], POST: ['disconnectClientByForm', 2] }),
  accountPage(accountPaths.sessions, { GET: ['showSessions', 3], POST: ['endSessionByForm', 4] }),
  accountPage(accountPaths.everywhere, { POST: ['signOutEverywhere', 5] }),
  accountPage(accountPaths.signIn, { GET: ['openSignIn', 7], POST: ['signInToAccount', 6] }),
  ...recoveryEndpoints,
  ...logoutEndpoints,
  signUpEndpoint,
  exportEndpoint,
];
