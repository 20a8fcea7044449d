import { signUpPath } from '../local-paths.ts';
import { form, page, text } from './parts.ts';

const open = { tags: ['oauth'], security: [] };
const parameter = (name: string, about: string) => ({ name, in: 'query', required: false, schema: text(about) });
const dead = page('The link has expired, was used, or was not copied whole; or a field is not acceptable');
const closed = page('The school opens accounts by invitation only, or the form did not come from our page');
const tooMany = page('Too many requests; wait as Retry-After says');
const kept = {
  invitation: text('As the link in the mail has it'),
  interaction: text('The request to come back to, as the page gave it'),
};

/** The page on which accounts are opened. */
export const signUpPages = {
  [signUpPath]: {
    get: {
      ...open,
      operationId: 'showSignUp',
      summary: 'The page on which a person opens an account',
      parameters: [
        parameter('invitation', kept.invitation.description as string),
        parameter('interaction', kept.interaction.description as string),
      ],
      responses: { 200: page('The page'), 400: dead, 403: closed, 429: tooMany },
    },
    post: {
      ...open,
      operationId: 'signUp',
      summary: 'Open an account by an invitation, or have one sent',
      requestBody: form(
        {
          csrf: text('As the page gave it'),
          ...kept,
          name: text('With an invitation'),
          password: text('With an invitation', { format: 'password' }),
          email: text('Without an invitation', { format: 'email' }),
        },
        ['csrf'],
      ),
      responses: {
        200: page('The account is open and the person signed in; or a mail is on its way'),
        303: { description: 'Back to the authorization request, signed in' },
        400: dead,
        403: closed,
        429: tooMany,
      },
    },
  },
};
