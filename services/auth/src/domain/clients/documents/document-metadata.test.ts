import { describe, expect, test } from '@jest/globals';
import { isDocumentId } from '../document-id.ts';
import { readDocumentMetadata } from './document-metadata.ts';

const id = 'https://app.example/oauth/client.json';
const document = { client_id: id, client_name: 'App', redirect_uris: ['https://app.example/cb'] };
const read = (json: object = {}) => readDocumentMetadata(id, { ...document, ...json });

describe('the id of a client that a document describes', () => {
  test.each([id, 'https://app.example/a', 'https://app.example:8443/a/b.json', 'https://xn--bcher-kva.example/%20a'])(
    'CIMD §3: %s may be one',
    (each) => expect(isDocumentId(each)).toBe(true),
  );

  test.each([
    ['another scheme', 'http://app.example/a'],
    ['another case of the scheme', 'HTTPS://app.example/a'],
    ['no path', 'https://app.example'],
    ['the root as path', 'https://app.example/'],
    ['a dot segment', 'https://app.example/./a'],
    ['a double-dot segment', 'https://app.example/a/../b'],
    ['a dot segment at its end', 'https://app.example/a/..'],
    ['an encoded dot segment', 'https://app.example/a/%2e%2E/b'],
    ['a fragment', 'https://app.example/a#b'],
    ['an empty fragment', 'https://app.example/a#'],
    ['a query', 'https://app.example/a?b=c'],
    ['an empty query', 'https://app.example/a?'],
    ['a user name', 'https://user@app.example/a'],
    ['a password', 'https://user:word@app.example/a'],
    ['empty userinfo', 'https://@app.example/a'],
    ['an upper-case host', 'https://App.example/a'],
    ['the standard port', 'https://app.example:443/a'],
    ['an empty port', 'https://app.example:/a'],
    ['another spelling of an address', 'https://127.1/a'],
    ['a backslash', 'https://app.example\\a'],
    ['a space', 'https://app.example/a b'],
    ['a line break', 'https://app.example/a\nb'],
    ['letters beyond ASCII', 'https://bücher.example/a'],
    ['no host', 'https:///a'],
    ['too many characters', `https://app.example/${'a'.repeat(500)}`],
  ])('CIMD §3: with %s it is none', (_, each) => expect(isDocumentId(each)).toBe(false));
});

describe('a metadata document', () => {
  test('CIMD §4: gives a public client with defaults for what it leaves out', () => {
    expect(read()).toEqual({
      client_name: 'App',
      application_type: 'web',
      redirect_uris: ['https://app.example/cb'],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      id_token_signed_response_alg: 'RS256',
    });
  });

  test.each(['https://app.example/oauth/client', 'https://app.example/oauth/client.json/', undefined, 5])(
    'CIMD §4: must name itself byte for byte: %s',
    (client_id) => expect(() => read({ client_id })).toThrow(/client_id/),
  );

  test.each([
    { client_secret: 'x' },
    { client_secret_expires_at: 0 },
    { token_endpoint_auth_method: 'client_secret_post' },
    { token_endpoint_auth_method: 'client_secret_basic' },
    { token_endpoint_auth_method: 'client_secret_jwt' },
  ])('CIMD §4: must have no secret: %j', (json) => expect(() => read(json)).toThrow(Error));

  test('CIMD §8.1: redirects go to its own origin or to the own machine; others are left out', () => {
    const own = ['https://app.example/cb', 'http://127.0.0.1/cb', 'http://localhost:1/cb'];
    const others = [
      'https://evil.example/cb',
      'https://app.example:8443/cb',
      'https://app.example.evil.example/cb',
      'https://app.example@evil.example/cb',
      'https://app.example/cb#',
      'https://app.example/*',
      'https://app.example/a/../cb',
      'https://app.example\\@evil.example/',
      'http://app.example/cb',
      'app://cb',
    ];
    expect(read({ redirect_uris: [...others, ...own] }).redirect_uris).toEqual(own);
    expect(() => read({ redirect_uris: others })).toThrow(/redirect_uris/);
  });

  test.each([
    undefined,
    [],
    'https://app.example/cb',
    [1],
    Array.from({ length: 21 }, (_, at) => `http://localhost/${at}`),
  ])('CIMD §8.1: needs redirects: %j is refused', (redirect_uris) =>
    expect(() => read({ redirect_uris })).toThrow(/redirect_uris/),
  );

  test('leaves out what other servers may know: scopes, grant types, algorithms, fields', () => {
    const metadata = read({
      scope: 'openid mail:send courses:read',
      grant_types: ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'],
      response_types: ['code', 'code id_token'],
      id_token_signed_response_alg: 'EdDSA',
      logo_uri: 'https://app.example/logo.png',
    });
    expect(metadata).toMatchObject({
      scope: 'openid courses:read',
      grant_types: ['authorization_code'],
      response_types: ['code'],
      id_token_signed_response_alg: 'RS256',
    });
    expect(metadata).not.toHaveProperty('logo_uri');
    expect(read({ scope: 'mail:send' })).not.toHaveProperty('scope');
  });

  test.each([{ grant_types: ['implicit'] }, { response_types: ['token'] }, { grant_types: 'authorization_code' }])(
    'that cannot do the code flow is refused: %j',
    (json) => expect(() => read(json)).toThrow(Error),
  );

  test('RFC 7591 §2: one that signs has public keys, here or at an https address, not both', () => {
    const signing = { token_endpoint_auth_method: 'private_key_jwt' };
    const key = { kty: 'EC', crv: 'P-256', x: 'x', y: 'y' };
    expect(read({ ...signing, jwks: { keys: [key] } }).jwks).toEqual({ keys: [key] });
    expect(read({ ...signing, jwks_uri: 'https://app.example/jwks' }).jwks_uri).toBe('https://app.example/jwks');
    for (const keys of [
      {},
      { jwks: { keys: [key] }, jwks_uri: 'https://app.example/jwks' },
      { jwks: { keys: [] } },
      { jwks: [key] },
      { jwks: { keys: [{ ...key, d: 'd' }] } },
      { jwks: { keys: [{ kty: 'oct', k: 'k' }] } },
      { jwks_uri: 'http://app.example/jwks' },
      { jwks_uri: 5 },
    ])
      expect(() => read({ ...signing, ...keys })).toThrow(/jwks/);
  });
});
