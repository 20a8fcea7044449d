import { identifyBrowser } from '../http/cookies/browser-cookie.ts';
import { checkLocalForm, readLocalForm } from '../http/csrf/local-form.ts';
import { type Endpoint, type Row, columns, o, x } from '../http/exchange/endpoint.ts';
import { recogniseSession } from '../http/session/browser-session.ts';
import { limitByAddress, policies } from '../http/steps/limits.ts';
import { signUpPath } from '../local-paths.ts';
import { showSignUp, signUp } from './sign-up.ts';

/** Opening an account: a GET, which changes nothing, and a POST. */
// prettier-ignore
const rows: readonly Row[] = [
  //                                GET PST
  [limitByAddress(policies.forms),  x,  o],
  [limitByAddress(policies.signUp), o,  x],
  [identifyBrowser,                 x,  x],
  [recogniseSession,                x,  x],
  [readLocalForm,                     o,  x],
  [checkLocalForm,                    o,  x],
  [showSignUp,                      x,  o],
  [signUp,                          o,  x],
];

/** The endpoint at which accounts are opened. */
export const signUpEndpoint: Endpoint = {
  path: signUpPath,
  reader: 'person',
  operations: columns(rows, { GET: ['showSignUp', 0], POST: ['signUp', 1] }),
};
