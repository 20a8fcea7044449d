import { identifyBrowser } from '../../http/cookies/browser-cookie.ts';
import { checkLocalForm, readLocalForm } from '../../http/csrf/local-form.ts';
import { type Endpoint, type Row, columns, o, x } from '../../http/exchange/endpoint.ts';
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

/** The endpoints that sign people out. */
export const logoutEndpoints: readonly Endpoint[] = [
  {
    path: logoutPaths.endSession,
    reader: 'person',
    operations: columns(steps, { GET: ['logout', 0], POST: ['logoutByForm', 0] }),
  },
  { path: logoutPaths.confirm, reader: 'person', operations: columns(steps, { POST: ['confirmLogout', 1] }) },
];
