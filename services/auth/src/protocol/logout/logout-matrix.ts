import { identifyBrowser } from '../../http/cookies/browser-cookie.ts';
import { checkLocalForm, readLocalForm } from '../../http/csrf/local-form.ts';
import { type Endpoint, type Row, column, o, x } from '../../http/exchange/endpoint.ts';
import { recogniseSession } from '../../http/session/browser-session.ts';
import { limitByAddress, policies } from '../../http/steps/limits.ts';
import { logoutPaths } from '../../local-paths.ts';
import { decideLogout, endOrAsk } from './end-session.ts';
import { checkLogout, readLogoutParameters } from './logout-request.ts';

/** Signing out, as applications ask for it. */
// prettier-ignore
const steps: readonly Row[] = [
  //                                logout confirm
  [limitByAddress(policies.forms),  x,     x],
  [readLogoutParameters,            x,     o],
  [identifyBrowser,                 x,     x],
  [recogniseSession,                x,     x],
  [readLocalForm,                     o,     x],
  [checkLocalForm,                    o,     x],
  [checkLogout,                     x,     o],
  [endOrAsk,                        x,     o],
  [decideLogout,                    o,     x],
];

const endpoint = (path: string, methods: Endpoint['methods'], at: number): Endpoint => ({
  path,
  methods,
  reader: 'person',
  steps: column(steps, at),
});

/** The endpoints that sign people out. */
export const logoutEndpoints: readonly Endpoint[] = [
  endpoint(logoutPaths.endSession, ['GET', 'POST'], 0),
  endpoint(logoutPaths.confirm, ['POST'], 1),
];
