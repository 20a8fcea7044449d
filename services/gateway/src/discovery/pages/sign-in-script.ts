/**
 * The script of the API reference: signs a person in with PKCE as a client of its own, and shows the token to each
 * request that is tried. It asks for what the operation in view needs, and for no more. The client is the school’s own:
 * the authorization server knows it by the address of the
 * metadata document beside this page. The token lives in this page's memory only.
 * @see RFC 7636 §4, RFC 9207 §2.4
 */
export const signInScript = `
const explorer = document.querySelector('openapi-explorer');
const status = document.querySelector('#status');
const [enter, out] = ['enter', 'out'].map((id) => document.querySelector('#' + id));
const callback = location.origin + '/docs/callback';
const client = location.origin + '/docs/client.json';
let token;

const say = (text) => { status.textContent = text; };
const base64url = (bytes) => btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)));
const json = async (response) => {
  const body = await response.json();
  if (!response.ok) throw new Error(body.error_description ?? body.error ?? response.status);
  return body;
};
const discover = () => fetch('/.well-known/oauth-authorization-server').then(json);

let description;
async function neededHere() {
  const [, method, path] = /^#\\?route=([a-z]+)-(\\/.*)$/.exec(decodeURIComponent(location.hash)) ?? [];
  if (!path) return [];
  description ??= await fetch('/openapi.json').then(json);
  const { paths } = description;
  const ways = paths[path]?.[method]?.security ?? [];
  return ways.find(({ oauth2 }) => oauth2)?.oauth2 ?? [];
}

async function signIn() {
  say('Signing in ...');
  const server = await discover();
  const [verifier, state] = [random(), random()];
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const scope = [...new Set(['openid', ...await neededHere()])].join(' ');
  sessionStorage.setItem('sign-in', JSON.stringify({ client, verifier, state, hash: location.hash }));
  const parameters = { response_type: 'code', client_id: client, redirect_uri: callback, scope, state,
    code_challenge: base64url(new Uint8Array(digest)), code_challenge_method: 'S256' };
  location.assign(server.authorization_endpoint + '?' + new URLSearchParams(parameters));
}

async function comeBack(answer) {
  const begun = JSON.parse(sessionStorage.getItem('sign-in') ?? 'null');
  sessionStorage.removeItem('sign-in');
  history.replaceState(null, '', '/docs');
  if (begun) location.hash = begun.hash;
  if (!begun || answer.get('state') !== begun.state) throw new Error('this sign-in was not begun here');
  const server = await discover();
  if (answer.get('iss') !== server.issuer) throw new Error('the answer comes from another server');
  if (answer.has('error')) throw new Error(answer.get('error_description') ?? answer.get('error'));
  const { access_token, scope, expires_in } = await fetch(server.token_endpoint, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'authorization_code', code: answer.get('code'), redirect_uri: callback,
      client_id: begun.client, code_verifier: begun.verifier }),
  }).then(json);
  token = { value: access_token, client: begun.client, scopes: scope.split(' ') };
  await show();
  say('Signed in with ' + scope.replaceAll(' ', ', ') + ' for ' + Math.round(expires_in / 60) + ' minutes.');
  setTimeout(() => { token = undefined; trying(show)(); say('The sign-in has run out.'); }, expires_in * 1000);
}

async function signOut() {
  const { value, client } = token;
  token = undefined;
  await show();
  const { revocation_endpoint } = await discover();
  await fetch(revocation_endpoint, { method: 'POST', body: new URLSearchParams({ token: value, client_id: client }) });
  say('Signed out. Requests are sent without a token.');
}

const show = async () => {
  out.hidden = token === undefined;
  const needed = await neededHere();
  enter.hidden = token !== undefined && needed.every((scope) => token.scopes.includes(scope));
};
const trying = (work) => () => work().catch((error) => say('That did not work: ' + error.message));

enter.addEventListener('click', trying(signIn));
window.addEventListener('hashchange', trying(show));
out.addEventListener('click', trying(signOut));
explorer.addEventListener('request', ({ detail }) => {
  if (token) detail.request.headers.set('Authorization', 'Bearer ' + token.value);
});
if (location.pathname === '/docs/callback') trying(() => comeBack(new URLSearchParams(location.search)))();
`;
