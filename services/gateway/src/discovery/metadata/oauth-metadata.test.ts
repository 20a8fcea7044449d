import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { grantTypes, oauthPaths, scopeNames, uiLocales, wellKnownPaths } from '@lyceum/contracts';
import { type Answer, type TestEdge, addSchool, docsUrl, openTestEdge } from '../../testing/test-edge.ts';

const json = (answer: Answer): Record<string, unknown> => JSON.parse(answer.text);

describe('discovery', () => {
  let edge: TestEdge;
  let issuer: string;
  let server: Record<string, unknown>;
  let openid: Record<string, unknown>;
  let resource: Record<string, unknown>;
  beforeAll(async () => {
    edge = await openTestEdge();
    issuer = `http://127.0.0.1:${edge.port}`;
    server = json(await edge.ask('GET', wellKnownPaths.authorizationServer));
    openid = json(await edge.ask('GET', wellKnownPaths.openidConfiguration));
    resource = json(await edge.ask('GET', wellKnownPaths.protectedResource));
  });
  afterAll(() => edge.close());

  test('RFC 8414 §3.3: the issuer is the base URL byte for byte, without a trailing slash', () => {
    expect([server['issuer'], openid['issuer']]).toEqual([issuer, issuer]);
  });

  test('RFC 8414 §3.3: the issuer does not follow the Host header', async () => {
    const answer = await edge.ask('GET', wellKnownPaths.authorizationServer, { Host: `LocalHost:${edge.port}` });
    expect(json(answer)['issuer']).toBe(issuer);
  });

  test('both documents are one model', () => {
    expect(openid).toEqual(server);
  });

  test('the access specification: the documents list all endpoints, grants and scopes', () => {
    expect(server).toMatchObject({
      authorization_endpoint: issuer + oauthPaths.authorize,
      token_endpoint: issuer + oauthPaths.token,
      userinfo_endpoint: issuer + oauthPaths.userinfo,
      registration_endpoint: issuer + oauthPaths.register,
      revocation_endpoint: issuer + oauthPaths.revoke,
      introspection_endpoint: issuer + oauthPaths.introspect,
      jwks_uri: issuer + oauthPaths.jwks,
      grant_types_supported: grantTypes,
      scopes_supported: scopeNames,
      service_documentation: docsUrl,
    });
  });

  test('OIDC RP-Initiated Logout §2.1, Back-Channel Logout §2.1: signing out is announced', () => {
    expect(server).toMatchObject({
      end_session_endpoint: issuer + oauthPaths.endSession,
      backchannel_logout_supported: true,
      backchannel_logout_session_supported: true,
    });
  });

  test('RFC 8414 §2: what clients would otherwise assume is stated', () => {
    expect(server).toMatchObject({
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: ['none', 'client_secret_post', 'client_secret_basic', 'private_key_jwt'],
      revocation_endpoint_auth_methods_supported: [
        'none',
        'client_secret_post',
        'client_secret_basic',
        'private_key_jwt',
      ],
      introspection_endpoint_auth_methods_supported: [
        'none',
        'client_secret_post',
        'client_secret_basic',
        'private_key_jwt',
      ],
      subject_types_supported: ['public'],
      request_parameter_supported: false,
      request_uri_parameter_supported: false,
      claims_parameter_supported: false,
    });
  });

  test('RFC 8414 §2: the algorithms of client assertions are stated, and none is not among them', () => {
    for (const endpoint of ['token', 'revocation', 'introspection'])
      expect(server[`${endpoint}_endpoint_auth_signing_alg_values_supported`]).toEqual(['ES256', 'PS256', 'RS256']);
  });

  test('RFC 7636 §4.2: S256 is the one challenge method, in both documents', () => {
    for (const document of [server, openid]) expect(document['code_challenge_methods_supported']).toEqual(['S256']);
  });

  test('OpenID Connect Discovery 1.0 §3: prompts, displays, languages and contexts are stated', () => {
    expect(openid).toMatchObject({
      prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
      display_values_supported: ['page'],
      ui_locales_supported: uiLocales,
      acr_values_supported: ['0'],
      claim_types_supported: ['normal'],
    });
  });

  test.each(['/agent/identity', '/agent/register', '/agent/claim'])(
    'the access specification: %s of the agent-authentication extension is a JSON 404',
    async (path) => {
      const answer = await edge.ask('GET', path);
      expect([answer.status, json(answer)['error']]).toEqual([404, 'not_found']);
    },
  );

  test('RFC 9207 §3: the iss parameter of authorization responses is announced', () => {
    expect(server['authorization_response_iss_parameter_supported']).toBe(true);
  });

  test('OpenID Connect Discovery 1.0 §3: RS256 is among the ID token algorithms', () => {
    expect(openid['id_token_signing_alg_values_supported']).toEqual(['RS256', 'ES256']);
  });

  test('the access specification: client ID metadata documents have a truthful answer in both documents', () => {
    for (const document of [server, openid]) expect(document['client_id_metadata_document_supported']).toBe(true);
  });

  test('the access specification: the agent-authentication extension and offline_access appear nowhere', () => {
    const text = JSON.stringify([server, openid, resource]);
    for (const absent of [
      'agent_auth',
      'identity_endpoint',
      'register_uri',
      'claim_uri',
      'offline_access',
      'jwt-bearer',
    ])
      expect(text).not.toContain(absent);
  });

  test('no value is null, empty or undefined', () => {
    for (const document of [server, openid, resource])
      for (const value of Object.values(document)) expect(['', null, undefined]).not.toContain(value);
  });

  test('RFC 9728 §3.3: the resource is the identifier that the address was made from', () => {
    expect(resource).toMatchObject({
      resource: issuer,
      authorization_servers: [issuer],
      bearer_methods_supported: ['header'],
      resource_documentation: docsUrl,
      resource_name: 'Lantern Craft School',
    });
  });

  test('RFC 9728 §2: the resource lists the scopes of the API, none of OpenID Connect', () => {
    expect(resource['scopes_supported']).toEqual(
      scopeNames.filter((scope) => !['openid', 'profile', 'email'].includes(scope)),
    );
  });

  test('RFC 9728 §3.3: the MCP server is a resource of its own, and asks for reading only', async () => {
    const answer = json(await edge.ask('GET', wellKnownPaths.mcpProtectedResource));
    expect(answer).toMatchObject({ resource: `${issuer}/mcp`, authorization_servers: [issuer] });
    const scopes = answer['scopes_supported'] as string[];
    expect(scopes).toContain('courses:read');
    expect(scopes.filter((scope) => scope.endsWith(':write'))).toEqual([]);
  });

  test('every school has documents of its own', async () => {
    addSchool(edge.hosts, { id: 'school_q', host: 'q.example', base_url: 'https://q.example', name: 'North Quay' });
    const answers = await Promise.all(
      Object.values(wellKnownPaths).map((path) => edge.ask('GET', path, { Host: 'q.example' })),
    );
    expect(answers).toHaveLength(5);
    for (const { status, text } of answers) {
      expect(status).toBe(200);
      expect(text).toContain('https://q.example');
      expect(text).not.toContain(issuer);
    }
  });

  test('a school that moved has its new issuer in every document at once', async () => {
    addSchool(edge.hosts, { id: 'school_m', host: 'old.example', base_url: 'https://old.example' });
    const before = await edge.ask('GET', wellKnownPaths.openidConfiguration, { Host: 'old.example' });
    addSchool(edge.hosts, { id: 'school_m', host: 'new.example', base_url: 'https://new.example' });
    const after = await edge.ask('GET', wellKnownPaths.openidConfiguration, { Host: 'new.example' });
    expect([json(before)['issuer'], json(after)['issuer']]).toEqual(['https://old.example', 'https://new.example']);
    expect(after.headers['etag']).not.toBe(before.headers['etag']);
    expect((await edge.ask('GET', wellKnownPaths.openidConfiguration, { Host: 'old.example' })).status).toBe(404);
  });

  test.each([
    `${wellKnownPaths.authorizationServer}/foo`,
    `${wellKnownPaths.authorizationServer}/mcp`,
    `${wellKnownPaths.authorizationServer}/`,
    `${wellKnownPaths.openidConfiguration}/foo`,
    `/foo${wellKnownPaths.openidConfiguration}`,
    `${wellKnownPaths.protectedResource}/foo`,
    `${wellKnownPaths.mcpProtectedResource}/foo`,
  ])('RFC 8414 §3.1: %s is a JSON 404: no issuer and no resource has that path', async (path) => {
    const answer = await edge.ask('GET', path);
    expect([answer.status, json(answer)['error']]).toEqual([404, 'not_found']);
  });
});

test('a school names no address but its own where the operator names no documentation', async () => {
  const edge = await openTestEdge({}, { documentation: 'schools' });
  try {
    addSchool(edge.hosts, { id: 'school_own', host: 'own.example', base_url: 'https://own.example' });
    const paths = ['/', '/llms.txt', '/auth.md', '/pricing.md', '/.well-known/oauth-authorization-server'];
    for (const path of [...paths, '/.well-known/oauth-protected-resource', '/.well-known/api-catalog']) {
      const { status, text } = await edge.ask('GET', path, { Host: 'own.example' });
      const origins = new Set(text.match(/https?:\/\/[\w.:-]+/g));
      expect([path, status, [...origins].filter((origin) => !/own\.example|127\.0\.0\.1/.test(origin))]).toEqual([
        path,
        200,
        [],
      ]);
      expect(text).not.toContain(String(edge.port));
    }
    const { text } = await edge.ask('GET', '/.well-known/oauth-authorization-server', { Host: 'own.example' });
    expect(JSON.parse(text)).toMatchObject({ service_documentation: 'https://own.example/docs' });
  } finally {
    await edge.close();
  }
});
