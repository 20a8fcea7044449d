import type { Scope } from '@lyceum/contracts';
import type { ConsentModel, ConsentScope, ErrorModel, SignInModel } from '../../pages/models/page-models.ts';

const school = { name: 'Lantern Craft School' };
/** A form, and fields that go back as they came. */
export const form = { action: '/answer', hidden: { interaction: 'interaction_1', csrf: 'token "1" & more' } };
const client = { name: 'Claude Code', redirectHost: '127.0.0.1:41873' };

/** A line of the consent page as the scope table describes it. */
export const consentScope = (name: Scope): ConsentScope => ({
  name,
  writes: name.endsWith(':write'),
});

/** A sign-in page that a client asked for. */
export const signInModel: SignInModel = { school, form, client };

/** A consent page with two scopes to read and two to write. */
export const consentModel: ConsentModel = {
  school,
  form,
  client,
  account: { name: 'Lena Okafor', email: 'lecturer@lantern.test' },
  scopes: (['openid', 'courses:read', 'courses:write', 'account:write'] as const).map(consentScope),
};

/** A page for a client whose redirect URI is not registered. */
export const errorModel: ErrorModel = {
  school,
  title: 'This app cannot sign you in',
  message: 'The address it wants to return to is not one it has registered.',
  code: 'invalid_request',
  requestId: '018f3c2e-7a1b-7c44-9a02-1f2e3d4c5b6a',
};
