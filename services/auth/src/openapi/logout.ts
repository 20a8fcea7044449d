import { logoutPaths } from '../local-paths.ts';
import { form, page, text } from './parts.ts';

type Json = Record<string, unknown>;

const open = { tags: ['oauth'], security: [] };
const tooMany = page('Too many requests; wait as Retry-After says');

const fields: Readonly<Record<string, Json>> = {
  id_token_hint: text('An ID token of the session; it may have expired'),
  client_id: text('Id of the client, when there is no hint'),
  post_logout_redirect_uri: text('Where to go afterwards: one that the client registered', { format: 'uri' }),
  state: text('Given back unaltered'),
  ui_locales: text('Languages of the page, most wanted first'),
};

/** Signing out, as the OpenAPI document has it. */
export const logoutPages: Readonly<Record<string, Json>> = {
  [logoutPaths.endSession]: {
    get: {
      ...open,
      operationId: 'logout',
      summary: 'Sign the person out (OpenID Connect RP-Initiated Logout)',
      parameters: Object.entries(fields).map(([name, schema]) => ({ name, in: 'query', schema })),
      responses: {
        200: page('The question whether to sign out, or that nobody is signed in'),
        303: { description: 'Back to the client, with its state' },
        400: page('The hint, the client or the address is wrong; nothing happened'),
        429: tooMany,
      },
    },
    post: {
      ...open,
      operationId: 'logoutByForm',
      summary: 'The same with the parameters in a form',
      requestBody: form(fields),
      responses: { 303: { description: 'On to the same by GET' }, 400: page('The form is too long'), 429: tooMany },
    },
  },
  [logoutPaths.confirm]: {
    post: {
      ...open,
      operationId: 'confirmLogout',
      summary: 'The form of the logout page',
      requestBody: form({
        logout: text('As the page gave it'),
        csrf: text('As the page gave it'),
        decision: { type: 'string', enum: ['yes', 'no'] },
      }),
      responses: {
        200: page('Signed out, or still signed in'),
        303: { description: 'Back to the client, with its state' },
        403: page('The form did not come from our page'),
        429: tooMany,
      },
    },
  },
};
