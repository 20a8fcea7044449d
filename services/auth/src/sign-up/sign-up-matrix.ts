import { byMethod } from '../http/exchange/by-method.ts';
import { limitByAddress, policies } from '../http/steps/limits.ts';
import { type Endpoint, type Row, column, o, x } from '../http/exchange/endpoint.ts';
import { checkOwnForm, readOwnForm, recogniseVisit } from '../http/csrf/local-form.ts';
import { recogniseSession } from '../http/session/browser-session.ts';
import { showSignUp, signUp } from './sign-up.ts';
import { signUpPath } from './sign-up-path.ts';

/** Opening an account: a GET, which changes nothing, and a POST. */
// prettier-ignore
const rows: readonly Row[] = [
  //                                GET PST
  [limitByAddress(policies.forms),  x,  o],
  [limitByAddress(policies.signUp), o,  x],
  [recogniseVisit,                  x,  x],
  [recogniseSession,                x,  x],
  [readOwnForm,                     o,  x],
  [checkOwnForm,                    o,  x],
  [showSignUp,                      x,  o],
  [signUp,                          o,  x],
];

/** The endpoint at which accounts are opened. */
export const signUpEndpoint: Endpoint = {
  path: signUpPath,
  methods: ['GET', 'POST'],
  reader: 'person',
  redirectsFailures: false,
  steps: [byMethod({ GET: column(rows, 0), POST: column(rows, 1) })],
};
