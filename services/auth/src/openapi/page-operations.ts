import type { OperationTexts } from './operation-texts.ts';
import { type Json, authorizationRequest, object, ref, text } from './schemas.ts';

const forPeople = 'A page for people: programs have no use for it.';
const asByGet = 'For requests that are too long for an address. Everything else is as with GET.';

const csrf = text('As the page gave it');
const email = text('E-mail address');
const newPassword = text('The new password', { minLength: 8, maxLength: 1024, format: 'password' });
const link = text('As the link in the mail has it');
const form = (fields: Readonly<Record<string, Json>> = {}): Json => object({ csrf, ...fields });
const interactionForm = (fields: Readonly<Record<string, Json>>): Json =>
  object({ interaction: csrf, csrf, ...fields });

const backToClient = 'Back to the client, with its state';
const onward = {
  303: 'On to the next page, or back to the client',
  400: 'The form has expired or belongs to another browser',
};
const authorizing = {
  200: 'The sign-in page or the consent page',
  303: 'Back to the client, with code, state and iss, or with error, error_description, state and iss',
  400: 'The client or its redirect URI is wrong, so nothing is redirected',
};
const dead = { 400: 'The link has expired, was used, or was not copied whole' };
const shown = { 200: 'The page, or the sign-in page', 503: 'The list is not up to date yet' };
const posted = { 200: 'The sign-in page', 303: 'Back to the page' };
const tooManyAttempts = 'Too many attempts; wait as Retry-After says';
const wrongPassword = { 401: 'E-mail address or password is not right', 429: tooManyAttempts };

const logout = object({
  id_token_hint: text('An ID token of the session; it may have expired'),
  client_id: text('Id of the client, when there is no hint'),
  post_logout_redirect_uri: text('Where to go afterwards: one that the client registered', { format: 'uri' }),
  state: text('Given back unaltered'),
  ui_locales: text('Languages of the page, most wanted first'),
});

const interaction = text('The request to come back to, as the page gave it');
const signUpRefused = {
  400: 'The link has expired, was used, or was not copied whole; or a field is not acceptable',
  403: 'The school opens accounts by invitation only, or the form did not come from our page',
};

/** Authorization requests and signing out. */
const requests: Readonly<Record<string, OperationTexts>> = {
  authorize: {
    summary: 'Send a person here to sign in and agree (RFC 6749, OpenID Connect)',
    description:
      'Opened in the person’s browser, never fetched by a program. Needs PKCE (S256). The browser comes back to the redirect URI with `code`, `state` and `iss`, or with `error`.',
    takes: authorizationRequest,
    answers: authorizing,
  },
  authorizeByForm: {
    summary: 'The same with the parameters in a form',
    description: asByGet,
    takes: authorizationRequest,
    answers: authorizing,
  },
  signIn: {
    summary: 'The form of the sign-in page',
    description: `${forPeople} Wrong passwords are answered the same way, whether there is an account or not.`,
    takes: interactionForm({ email, password: text('Password') }),
    answers: { ...onward, ...wrongPassword, 503: 'Too many people are signing in' },
  },
  decideConsent: {
    summary: 'The form of the consent page',
    description: `${forPeople} What is not ticked is not granted.`,
    takes: interactionForm({
      scope: { type: 'array', items: { type: 'string' }, description: 'The ticked scopes' },
      decision: { type: 'string', enum: ['approve', 'deny'] },
    }),
    answers: onward,
  },
  logout: {
    summary: 'Sign the person out (OpenID Connect RP-Initiated Logout)',
    description:
      'Opened in the person’s browser. With an ID token of the session the person is signed out at once, without one they are asked. The browser goes only to registered addresses.',
    takes: logout,
    answers: {
      200: 'The question whether to sign out, or that nobody is signed in',
      303: backToClient,
      400: 'The hint, the client or the address is wrong; nothing happened',
    },
  },
  logoutByForm: {
    summary: 'The same with the parameters in a form',
    description: asByGet,
    takes: logout,
    answers: { 303: 'On to the same by GET', 400: 'The form is too long' },
  },
  confirmLogout: {
    summary: 'The form of the logout page',
    description: forPeople,
    takes: object({ logout: csrf, csrf, decision: { type: 'string', enum: ['yes', 'no'] } }),
    answers: { 200: 'Signed out, or still signed in', 303: backToClient },
  },
};

/** Pages about the account of a person. */
const accounts: Readonly<Record<string, OperationTexts>> = {
  openAccount: {
    summary: 'Your account, in a browser',
    description: forPeople,
    answers: { 303: 'To the first page' },
  },
  showConnectedClients: {
    summary: 'The page of applications connected to your account',
    description: `${forPeople} Programs read /api/account/clients.`,
    answers: shown,
  },
  disconnectClientByForm: {
    summary: 'Disconnect an application',
    description: `${forPeople} Ends the tokens of the application at once.`,
    takes: form({ client: text('Its id') }),
    answers: posted,
  },
  showSessions: {
    summary: 'The page of browsers in which you are signed in',
    description: `${forPeople} Programs read /api/account/sessions.`,
    answers: shown,
  },
  endSessionByForm: {
    summary: 'Sign out of one browser',
    description: `${forPeople} Ends the sign-in of that browser, and the tokens that came of it.`,
    takes: form({ session: text('Its id') }),
    answers: posted,
  },
  signOutEverywhere: {
    summary: 'End every sign-in and disconnect every application',
    description: `${forPeople} Every token that was issued before is void.`,
    takes: form(),
    answers: { 200: 'It is done, or the sign-in page' },
  },
  openSignIn: {
    summary: 'The sign-in page, for another page of the school',
    description: `${forPeople} It leads to that page at once when a person is signed in.`,
    takes: object({ to: text('Which page to show then') }),
    answers: { 200: 'The sign-in page', 303: 'To the page' },
  },
  signInToAccount: {
    summary: 'The sign-in form of these pages',
    description: `${forPeople} It leads back to the page that was asked for.`,
    takes: form({ to: text('Which page to show then'), email, password: text('Password') }),
    answers: { 303: 'To the page', ...wrongPassword },
  },
  showSignUp: {
    summary: 'The page on which a person opens an account',
    description: `${forPeople} Says so where the school opens accounts by invitation only.`,
    takes: object({ invitation: link, interaction }),
    answers: { 200: 'The page', ...signUpRefused },
  },
  signUp: {
    summary: 'Open an account by an invitation, or have one sent',
    description: `${forPeople} The answer to an address is the same, whether it has an account or not.`,
    takes: object(
      {
        csrf,
        invitation: link,
        interaction,
        name: text('With an invitation'),
        password: text('With an invitation', { format: 'password' }),
        email: text('Without an invitation', { format: 'email' }),
      },
      ['csrf'],
    ),
    answers: {
      200: 'The account is open and the person signed in; or a mail is on its way',
      303: 'Back to the authorization request, signed in',
      ...signUpRefused,
    },
  },
};

const recovery: Readonly<Record<string, OperationTexts>> = {
  showReset: {
    summary: 'The page for a person who forgot the password',
    description: forPeople,
    answers: { 200: 'The page' },
  },
  askReset: {
    summary: 'Have a link sent with which a new password can be set',
    description: `${forPeople} A link that was sent is good for 30 minutes, once.`,
    takes: object({ csrf, email: text('E-mail address of the account') }, ['csrf', 'email']),
    answers: {
      200: 'The same for every address, whether there is an account or not',
      400: 'The address is missing',
    },
  },
  ...pagesOfLink(['showNewPassword', 'setNewPassword'], 'Set a new password', 'Ends every sign-in and every token.', {
    takes: object({ csrf, token: link, password: newPassword }, ['csrf', 'token']),
  }),
  ...pagesOfLink(
    ['showVerifyEmail', 'verifyEmail'],
    'Confirm an e-mail address',
    'From then on the claim `email_verified` is true.',
  ),
  ...pagesOfLink(
    ['showEmailChange', 'confirmEmailChange'],
    'Confirm a change of e-mail address',
    'The account has the new address from then on.',
  ),
  showAskVerification: {
    summary: 'The page to have your e-mail address confirmed',
    description: forPeople,
    answers: { 200: 'The page, or the sign-in page' },
  },
  askVerification: {
    summary: 'Have a link sent that confirms your e-mail address, once a minute at most',
    description: forPeople,
    takes: object({ csrf }, ['csrf']),
    answers: { 200: 'It is on its way, or the sign-in page' },
  },
  showChangePassword: {
    summary: 'The page to change your password',
    description: forPeople,
    answers: { 200: 'The page, or the sign-in page' },
  },
  changePassword: {
    summary: 'Change your password; ends every other sign-in and disconnects every application',
    description: forPeople,
    takes: object({ csrf, current: text('The current password', { format: 'password' }), password: newPassword }, [
      'csrf',
      'current',
      'password',
    ]),
    answers: {
      200: 'It is done, or the sign-in page',
      400: 'The new password is too weak',
      403: 'The form did not come from our page, or the current password is wrong',
      409: 'The password was changed meanwhile',
    },
  },
};

/** The page behind a link in a mail, and its form. */
function pagesOfLink(
  [show, post]: readonly [show: string, post: string],
  summary: string,
  done: string,
  { takes = ref('LinkForm') }: { readonly takes?: Json } = {},
): Record<string, OperationTexts> {
  return {
    [show]: {
      summary: `${summary}: the page behind the link`,
      description: `${forPeople} Opening it changes nothing.`,
      takes: object({ token: link }, ['token']),
      answers: { 200: 'The page', ...dead },
    },
    [post]: { summary, description: `${forPeople} ${done}`, takes, answers: { 200: 'It is done', ...dead } },
  };
}

/** What the endpoints for people do, by the id of the operation. */
export const pageOperations: Readonly<Record<string, OperationTexts>> = { ...requests, ...accounts, ...recovery };
