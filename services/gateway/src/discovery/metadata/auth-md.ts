import {
  type ErrorCode,
  clientLifetimes,
  apiLimits,
  clientLimits,
  errors,
  oauthPaths,
  oidcScopes,
  scopes,
  wellKnownPaths,
} from '@lyceum/contracts';
import { isOneOf, keysOf } from '@lyceum/kernel';
import type { Site } from './oauth-metadata.ts';
import { metadataOf, signInAlias } from '../../routing/mcp-paths.ts';
import { duration, markdownTable, markdownText } from '../text/markdown.ts';

const code = (language: string, ...lines: readonly string[]): string => ['```' + language, ...lines, '```'].join('\n');

const welcome = ({ baseUrl, name }: Site): string => `# Access to ${markdownText(name)}

For programs and agents that use the API of this school, and for the people who write them. Base address and issuer: \`${baseUrl}\`.

## 1. Without signing in

A request without a token is served as an anonymous one, and never challenged. The catalogue is open:

${code('sh', `curl '${baseUrl}/api/courses'`)}

Sign in only for what belongs to a person, and for writing.`;

const discover = ({ baseUrl, hasMcp }: Site): string => `## 2. Discover

- Protected resource: <${baseUrl}${wellKnownPaths.protectedResource}>
${hasMcp ? `- Protected resource, MCP server: <${baseUrl}${wellKnownPaths.mcpProtectedResource}>\n` : ''}- Authorization server: <${baseUrl}${wellKnownPaths.authorizationServer}>
- OpenID Connect: <${baseUrl}${wellKnownPaths.openidConfiguration}>

These documents are the source of truth: where this text and they differ, they are right.`;

const register = ({ baseUrl }: Site): string => `## 3. Choose a way to be known

- A program on the person's own device registers itself with loopback addresses (RFC 7591), as below.
- A client with an https address of its own may publish a client ID metadata document there and use that address as its \`client_id\`, when \`client_id_metadata_document_supported\` is true in the discovery document.
- A client with a fixed HTTPS callback needs a registered integration: whoever operates the school registers it.

## 4. Register

${code(
  'sh',
  `curl -X POST '${baseUrl}${oauthPaths.register}' -H 'Content-Type: application/json' \\`,
  `  -d '{"client_name":"My agent","application_type":"native","redirect_uris":["http://127.0.0.1:49152/callback"],"token_endpoint_auth_method":"none"}'`,
)}

A client that registers itself has \`token_endpoint_auth_method\` \`none\` (the default) or \`client_secret_post\`; the other methods in the metadata are for registered integrations.

The answer carries \`client_id\`. A registration that gets no token within ${duration(clientLifetimes.unusedClient)} is forgotten. An HTTPS callback is refused:

${code('json', `{"error":"invalid_redirect_uri","error_description":"..."}`)}`;

const authorize = ({ baseUrl }: Site): string => `## 5. Authorize

Make a \`code_verifier\` and its S256 \`code_challenge\`, and open in the person's browser:

${code(
  '',
  `${baseUrl}${oauthPaths.authorize}?response_type=code&client_id=CLIENT_ID&redirect_uri=REDIRECT_URI&scope=openid%20courses%3Aread&code_challenge=CHALLENGE&code_challenge_method=S256&state=STATE`,
)}

The person signs in, chooses what to allow, and comes back to your address with \`code\`, \`state\` and \`iss\`. Go on only if \`state\` is the one you sent and \`iss\` is \`${baseUrl}\`. A code is good for ${duration(clientLifetimes.code)}, once.`;

const tokens = ({ baseUrl }: Site): string => `## 6. Tokens

${code(
  'sh',
  `curl -X POST '${baseUrl}${oauthPaths.token}' -d grant_type=authorization_code -d code=CODE \\`,
  '  -d redirect_uri=REDIRECT_URI -d client_id=CLIENT_ID -d code_verifier=VERIFIER',
)}

An access token lives ${duration(clientLifetimes.accessToken)}. Refresh it with \`grant_type=refresh_token\`; each refresh answers with a new refresh token, which replaces the one that was sent. A refresh token lapses after ${duration(clientLifetimes.refreshIdle)} without use, and ${duration(clientLifetimes.refreshAbsolute)} after the person agreed. The optional parameter \`resource\` (RFC 8707) binds tokens to one API.`;

const call = ({ baseUrl, hasMcp, hasSignInAlias }: Site): string => `## 7. Call

${code('sh', `curl '${baseUrl}/api/courses' -H 'Authorization: Bearer ACCESS_TOKEN'`)}

Every operation with its scopes: <${baseUrl}/openapi.json>.${hasMcp ? ` The MCP server (Streamable HTTP) is at <${baseUrl}/mcp>, with or without a token.` : ''}${hasMcp && hasSignInAlias ? ` A client that signs in only when it is refused connects to <${baseUrl}${signInAlias}> instead: the same server, but 401 without a token, and a resource of its own (<${baseUrl}${metadataOf(signInAlias)}>).` : ''}`;

const permissions = (opened: ReadonlySet<string>): string => `## 8. Scopes

Ask for what you need and no more; the person may allow less. Writing does not include reading. The person's role at the school limits what a scope opens.

${markdownTable(
  ['Scope', 'Grants', 'Opens today'],
  Object.entries(scopes).map(([name, { grants }]) => [`\`${name}\``, grants, opensOf(name, opened)]),
)}`;

const opensOf = (name: string, opened: ReadonlySet<string>): string => {
  if (isOidc(name)) return 'claims about the person';
  return opened.has(name) ? 'operations of the API' : 'nothing yet';
};

const isOidc = (name: string): boolean => isOneOf(oidcScopes, name);

/** What a client does about an error. */
const actions: Partial<Record<ErrorCode, string>> = {
  invalid_request: 'Correct the request; do not repeat it unchanged',
  invalid_grant: 'Start again at step 5',
  invalid_client: 'Register again',
  invalid_scope: 'Ask for scopes of the table above',
  invalid_target: 'Name an API of this school as the resource',
  unauthorized_client: 'Use the grant types of your registration',
  unsupported_grant_type: 'Use a grant type of the discovery document',
  invalid_redirect_uri: 'Use a loopback address, or a registered integration',
  invalid_token: 'Refresh, then sign in again',
  insufficient_scope: 'Sign in again with the scopes that WWW-Authenticate names',
  access_denied: 'Sign in, or ask somebody whose role allows it',
  rate_limited: 'Wait as long as Retry-After says',
  temporarily_unavailable: 'Try again after Retry-After',
};

/** What a client does about any other error of a status. */
function actionOf(status: number): string {
  if (status === 409) return 'Read the item again; `error_description` says what stands in the way';
  return status >= 500 ? 'Try again later; give the request id to whoever operates the school' : 'Correct the request';
}

const conventions = (): string => `## 10. Conventions

- **Paging.** Lists take \`limit\` (1 to 100) and answer with \`data\`, \`has_more\` and \`next_cursor\`. Send \`next_cursor\` back as \`cursor\`, with the same filters and order, until it is null. A cursor is opaque. \`Link: <…>; rel="next"\` says the same.
- **Fields.** \`fields=title,slug\` answers with these members only, beside \`id\`, \`object\` and \`view\`. The schemas describe the answer without \`fields\`.
- **Expand.** \`expand=lecturers\` shows whole what an answer else names by id; each name needs the scope that the reference names. Such an answer has no ETag.
- **View.** \`view\` says how much of the item you see: \`anonymous\`, \`member\` or \`staff\`. An \`anonymous\` answer to a signed-in person means that the token was not sent.
- **Changes to one item.** Answers carry an \`ETag\`. Send it in \`If-Match\`, in double quotes as you got it, with \`PATCH\`, \`PUT\` or \`DELETE\`: 412 means that the item has changed since, so read it again. A lesson or section is compared by itself, so what others did to the rest of the curriculum does not matter. \`PUT\` needs it (428 without). \`If-None-Match\` with \`GET\` answers 304 while nothing has changed.
- **Retries.** Send \`Idempotency-Key\`, a string in double quotes, with a write. The same key with the same request answers as the first time, and nothing is done twice; with another request it is 422.
- **Read what you wrote.** A read by id has every write before it. Lists follow within a moment: send the \`Consistency-Token\` of the write to the list, with \`Prefer: wait=5\`, to wait for it.
- **Changes as they happen.** \`GET /api/changes\` is a list to poll, or with \`Accept: text/event-stream\` a stream of server-sent events: each has the cursor after it as \`id\`, the type as \`event\` and the change as \`data\`. \`Last-Event-ID\`, or \`after\`, goes on from a cursor. A change may come twice, with the same \`id\` in its data.
- **Ids.** An id begins with its kind (\`course_…\`) and is opaque. Money is in minor units, times are RFC 3339 in UTC.
- **Growth.** Answers may grow members, and errors new codes: ignore what you do not know.`;

const failures = (): string => `## 9. Errors

Every error is JSON with \`error\`, \`error_description\` and \`request_id\`; \`details\` names the fields at fault. With \`Accept: application/problem+json\` it is a problem document (RFC 9457).

${markdownTable(
  ['error', 'Status', 'Meaning', 'What to do'],
  keysOf(errors).map((name) => {
    const { status, means } = errors[name];
    return [`\`${name}\``, String(status), means, actions[name] ?? actionOf(status)];
  }),
)}`;

const end = ({ baseUrl, docsUrl, limitFactor }: Site): string => `## 11. Revoke

${code('sh', `curl -X POST '${baseUrl}${oauthPaths.revoke}' -d token=TOKEN -d client_id=CLIENT_ID`)}

A refresh token takes everything that came from the same consent with it.

## 12. Agent authentication

\`agent_auth\` is not supported: there is no identity_endpoint, no register_uri and no claim step. Stop there and use the steps above.

## 13. Limits

Requests per minute; answers carry \`RateLimit\` headers, and 429 says how long to wait in \`Retry-After\`.

${markdownTable(
  ['Endpoint', 'Per minute', 'Counted by'],
  [
    ...keysOf(clientLimits).map((name) => [`\`${oauthPaths[name]}\``, clientLimits[name]] as const),
    ['the rest of `/api`, with a token', apiLimits.token] as const,
    ['the rest of `/api`, without a token', apiLimits.anonymous] as const,
  ].map(([endpoint, { perMinute, by }]) => [endpoint, String(Math.max(1, Math.round(perMinute * limitFactor))), by]),
)}

More documentation: <${docsUrl}>.`;

/** How a client registers, signs a person in and calls the API: a walk through with the addresses of this school. */
export function authMd(site: Site, opened: ReadonlySet<string>): string {
  const steps = [welcome, discover, register, authorize, tokens, call].map((part) => part(site));
  return `${[...steps, permissions(opened), failures(), conventions(), end(site)].join('\n\n')}\n`;
}
