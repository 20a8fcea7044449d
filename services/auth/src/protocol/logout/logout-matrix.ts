import { limitByAddress, policies } from '../../http/steps/limits.ts';
import { type Endpoint, type Row, column, o, x } from '../../http/exchange/endpoint.ts';
import { checkOwnForm, readOwnForm, recogniseVisit } from '../../http/csrf/local-form.ts';
import { recogniseSession } from '../../http/session/browser-session.ts';
import { decideLogout, endOrAsk } from './end-session.ts';
import { logoutPaths } from './logout-paths.ts';
import { checkLogout, readLogoutParameters } from './logout-request.ts';

/** Signing out, as applications ask for it. */
// prettier-ignore
const steps: readonly Row[] = [
  //                                logout confirm
  [limitByAddress(policies.forms),  x,     x],
  [readLogoutParameters,            x,     o],
  [recogniseVisit,                  x,     x],
  [recogniseSession,                x,     x],
  [readOwnForm,                     o,     x],
  [checkOwnForm,                    o,     x],
  [checkLogout,                     x,     o],
  [endOrAsk,                        x,     o],
  [decideLogout,                    o,     x],
];

const endpoint = (path: string, methods: Endpoint['methods'], at: number): Endpoint => ({
  path,
  methods,
  reader: 'person',
  redirectsFailures: false,
  steps: column(steps, at),
});

/** The endpoints that sign people out. */
export const logoutEndpoints: readonly Endpoint[] = [
  endpoint(logoutPaths.endSession, ['GET', 'POST'], 0),
  endpoint(logoutPaths.confirm, ['POST'], 1),
];
