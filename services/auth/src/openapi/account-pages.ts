import { accountPaths } from '../local-paths.ts';
import { form, page, text } from './parts.ts';

type Json = Record<string, unknown>;

const open = { tags: ['oauth'], security: [] };
const csrf: Json = { csrf: text('As the page gave it') };
const goesTo = (description: string): Json => ({ description });
const refused = page('The form did not come from our page');
const tooMany = page('Too many requests; wait as Retry-After says');

const shown = (operationId: string, summary: string): Json => ({
  ...open,
  operationId,
  summary,
  responses: { 200: page('The page, or the sign-in page'), 503: page('The list is not up to date yet') },
});

const posted = (operationId: string, summary: string, fields: Json, to: string): Json => ({
  ...open,
  operationId,
  summary,
  requestBody: form({ ...csrf, ...fields }),
  responses: { 200: page('The sign-in page'), 303: goesTo(to), 403: refused, 429: tooMany },
});

/** The pages of a signed-in person, as the OpenAPI document has them. */
export const ownPages: Readonly<Record<string, Json>> = {
  [accountPaths.account]: {
    get: {
      ...open,
      operationId: 'openAccount',
      summary: 'Your account, in a browser',
      responses: { 303: goesTo('To the first page') },
    },
  },
  [accountPaths.apps]: {
    get: shown('showConnectedClients', 'The page of applications connected to your account'),
    post: posted('disconnectClientByForm', 'Disconnect an application', { client: text('Its id') }, 'Back to the page'),
  },
  [accountPaths.sessions]: {
    get: shown('showSessions', 'The page of browsers in which you are signed in'),
    post: posted('endSessionByForm', 'Sign out of one browser', { session: text('Its id') }, 'Back to the page'),
  },
  [accountPaths.everywhere]: {
    post: {
      ...open,
      operationId: 'signOutEverywhere',
      summary: 'End every sign-in and disconnect every application',
      requestBody: form(csrf),
      responses: { 200: page('It is done, or the sign-in page'), 403: refused, 429: tooMany },
    },
  },
  [accountPaths.signIn]: {
    post: {
      ...open,
      operationId: 'signInToAccount',
      summary: 'The sign-in form of these pages',
      requestBody: form({
        ...csrf,
        to: text('Which page to show then'),
        email: text('E-mail address'),
        password: text('Password'),
      }),
      responses: {
        303: goesTo('To the page'),
        401: page('E-mail address or password is not right'),
        403: refused,
        429: page('Too many attempts; wait as Retry-After says'),
      },
    },
  },
};
