import { accountPaths, resetPath, linkPaths } from '../local-paths.ts';
import { form, page, text } from './parts.ts';

type Json = Record<string, unknown>;

const open = { tags: ['oauth'], security: [] };
const csrf: Json = { csrf: text('As the page gave it') };
const token = text('As the link in the mail has it');
const dead = page('The link has expired, was used, or was not copied whole');
const tooMany = page('Too many requests; wait as Retry-After says');

const linkForm: Json = {
  required: true,
  content: { 'application/x-www-form-urlencoded': { schema: { $ref: '#/components/schemas/LinkForm' } } },
};

interface LinkPage {
  readonly ids: readonly [get: string, post: string];
  readonly about: string;
  readonly fields?: Json;
}

/** A page behind a link: looking changes nothing, the form does. */
const linkPage = ({ ids: [get, post], about, fields = {} }: LinkPage): Json => ({
  get: {
    ...open,
    operationId: get,
    summary: `${about}: the page behind the link`,
    parameters: [{ name: 'token', in: 'query', required: true, schema: token }],
    responses: { 200: page('The page'), 400: dead, 429: tooMany },
  },
  post: {
    ...open,
    operationId: post,
    summary: about,
    requestBody: Object.keys(fields).length === 0 ? linkForm : form({ ...csrf, token, ...fields }, ['csrf', 'token']),
    responses: {
      200: page('It is done'),
      400: dead,
      403: page('The form did not come from our page'),
      429: tooMany,
    },
  },
});

/** The pages about passwords and addresses, as the OpenAPI document has them. */
export const recoveryPages: Readonly<Record<string, Json>> = {
  [resetPath]: {
    get: {
      ...open,
      operationId: 'showReset',
      summary: 'The page for whoever forgot the password',
      responses: { 200: page('The page'), 429: tooMany },
    },
    post: {
      ...open,
      operationId: 'askReset',
      summary: 'Have a link sent with which a new password can be set',
      requestBody: form({ ...csrf, email: text('E-mail address of the account') }, ['csrf', 'email']),
      responses: {
        200: page('The same for every address, whether there is an account or not'),
        400: page('The address is missing'),
        403: page('The form did not come from our page'),
        429: tooMany,
      },
    },
  },
  [linkPaths.reset]: linkPage({
    ids: ['showNewPassword', 'setNewPassword'],
    about: 'Set a new password',
    fields: { password: text('The new password', { minLength: 8, maxLength: 1024, format: 'password' }) },
  }),
  [linkPaths.verify]: linkPage({ ids: ['showVerifyEmail', 'verifyEmail'], about: 'Confirm an e-mail address' }),
  [linkPaths.change]: linkPage({
    ids: ['showEmailChange', 'confirmEmailChange'],
    about: 'Confirm a change of e-mail address',
  }),
  [accountPaths.email]: {
    get: {
      ...open,
      operationId: 'showAskVerification',
      summary: 'The page to have your e-mail address confirmed',
      responses: { 200: page('The page, or the sign-in page') },
    },
    post: {
      ...open,
      operationId: 'askVerification',
      summary: 'Have a link sent that confirms your e-mail address, once a minute at most',
      requestBody: form(csrf, ['csrf']),
      responses: {
        200: page('It is on its way, or the sign-in page'),
        403: page('The form did not come from our page'),
        429: tooMany,
      },
    },
  },
  [accountPaths.password]: {
    get: {
      ...open,
      operationId: 'showChangePassword',
      summary: 'The page to change your password',
      responses: { 200: page('The page, or the sign-in page') },
    },
    post: {
      ...open,
      operationId: 'changePassword',
      summary: 'Change your password; ends every other sign-in and disconnects every application',
      requestBody: form(
        {
          ...csrf,
          current: text('The current password', { format: 'password' }),
          password: text('The new password', { minLength: 8, maxLength: 1024, format: 'password' }),
        },
        ['csrf', 'current', 'password'],
      ),
      responses: {
        200: page('It is done, or the sign-in page'),
        400: page('The new password is too weak'),
        403: page('The form did not come from our page, or the current password is wrong'),
        409: page('The password was changed meanwhile'),
        429: tooMany,
      },
    },
  },
};
