import { identifyBrowser } from '../http/cookies/browser-cookie.ts';
import { checkLocalForm, readLocalForm } from '../http/csrf/local-form.ts';
import { type Endpoint, type Row, columns, o, x } from '../http/exchange/endpoint.ts';
import { recogniseSession } from '../http/session/browser-session.ts';
import { limitByAddress, policies } from '../http/steps/limits.ts';
import { accountPaths, resetPath, linkPaths } from '../local-paths.ts';
import { requireSession } from '../sign-in/local-sign-in.ts';
import { changePassword, showChangePassword } from './change-password.ts';
import { confirmEmailChange, showEmailChange } from './confirm-email-change.ts';
import { requestReset, showReset } from './request-reset.ts';
import { requestVerification, showRequestVerification } from './request-verification.ts';
import { setNewPassword, showNewPassword } from './reset-password.ts';
import { showVerifyEmail, verifyEmail } from './verify-email.ts';

const asking = limitByAddress(policies.reset);
const posting = limitByAddress(policies.forms);

/** Pages about passwords and addresses: for each a GET, which changes nothing, and a POST. */
// prettier-ignore
const pages: readonly Row[] = [
  //                     reset   new pw  verify  change  own pw  own mail
  //                     GET PST GET PST GET PST GET PST GET PST GET PST
  [asking,               o,  x,  o,  o,  o,  o,  o,  o,  o,  o,  o,  x],
  [posting,              x,  o,  x,  x,  x,  x,  x,  x,  o,  x,  o,  o],
  [identifyBrowser,      x,  x,  x,  x,  x,  x,  x,  x,  x,  x,  x,  x],
  [recogniseSession,     x,  x,  x,  x,  x,  x,  x,  x,  x,  x,  x,  x],
  [readLocalForm,          o,  x,  o,  x,  o,  x,  o,  x,  o,  x,  o,  x],
  [requireSession,    o,  o,  o,  o,  o,  o,  o,  o,  x,  x,  x,  x],
  [checkLocalForm,         o,  x,  o,  x,  o,  x,  o,  x,  o,  x,  o,  x],
  [showReset,            x,  o,  o,  o,  o,  o,  o,  o,  o,  o,  o,  o],
  [requestReset,             o,  x,  o,  o,  o,  o,  o,  o,  o,  o,  o,  o],
  [showNewPassword,      o,  o,  x,  o,  o,  o,  o,  o,  o,  o,  o,  o],
  [setNewPassword,       o,  o,  o,  x,  o,  o,  o,  o,  o,  o,  o,  o],
  [showVerifyEmail,      o,  o,  o,  o,  x,  o,  o,  o,  o,  o,  o,  o],
  [verifyEmail,          o,  o,  o,  o,  o,  x,  o,  o,  o,  o,  o,  o],
  [showEmailChange,      o,  o,  o,  o,  o,  o,  x,  o,  o,  o,  o,  o],
  [confirmEmailChange,   o,  o,  o,  o,  o,  o,  o,  x,  o,  o,  o,  o],
  [showChangePassword,   o,  o,  o,  o,  o,  o,  o,  o,  x,  o,  o,  o],
  [changePassword,       o,  o,  o,  o,  o,  o,  o,  o,  o,  x,  o,  o],
  [showRequestVerification,  o,  o,  o,  o,  o,  o,  o,  o,  o,  o,  x,  o],
  [requestVerification,      o,  o,  o,  o,  o,  o,  o,  o,  o,  o,  o,  x],
];

/** Paths, and the ids of their GET and POST, in the order of the columns. */
const paths: readonly (readonly [path: string, show: string, post: string])[] = [
  [resetPath, 'showReset', 'askReset'],
  [linkPaths.reset, 'showNewPassword', 'setNewPassword'],
  [linkPaths.verify, 'showVerifyEmail', 'verifyEmail'],
  [linkPaths.change, 'showEmailChange', 'confirmEmailChange'],
  [accountPaths.password, 'showChangePassword', 'changePassword'],
  [accountPaths.email, 'showAskVerification', 'askVerification'],
];

/** The endpoints about passwords and addresses. */
export const recoveryEndpoints: readonly Endpoint[] = paths.map(([path, show, post], at) => ({
  path,
  reader: 'person',
  operations: columns(pages, { GET: [show, 2 * at], POST: [post, 2 * at + 1] }),
}));
