import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Person, type Place, approve, describeTopologies } from '@lyceum/testkit';
import { inForce } from '../../testing/in-force.ts';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';

/** The strictest clients there are, unpatched, drive the whole flow; a person signs in through the real pages. */
await describeTopologies('official client libraries', ({ open, lag }) => {
  let system: Place;
  let close: () => Promise<unknown>;
  const email = 'owner@lantern.test';
  const redirect_uri = 'http://127.0.0.1:48123/callback';
  const scope = 'openid profile email courses:read';
  beforeAll(async () => {
    ({ system, close } = await open());
  }, 400_000);
  afterAll(() => close());

  const comeBack = async (url: URL): Promise<URL> => {
    const landed = await approve(new Person(), url, email, system.password);
    expect(landed.left?.origin).toBe('http://127.0.0.1:48123');
    return landed.left!;
  };

  test.each([
    ['a public client', { token_endpoint_auth_method: 'none' }, undefined],
    ['a confidential client', { token_endpoint_auth_method: 'client_secret_post' }, openid.ClientSecretPost()],
  ])(
    'openid-client 6: %s discovers, registers, authorizes, refreshes and revokes',
    async (_, method, authentication) => {
      const execute = [openid.allowInsecureRequests];
      const config = await openid.dynamicClientRegistration(
        new URL(system.baseUrl),
        { client_name: 'openid-client', redirect_uris: [redirect_uri], ...method },
        authentication ?? openid.None(),
        { execute },
      );
      const pkceCodeVerifier = openid.randomPKCECodeVerifier();
      const [expectedState, expectedNonce] = [openid.randomState(), openid.randomNonce()];
      const url = openid.buildAuthorizationUrl(config, {
        redirect_uri,
        scope,
        state: expectedState,
        nonce: expectedNonce,
        code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: 'S256',
      });
      const tokens = await openid.authorizationCodeGrant(config, await comeBack(url), {
        pkceCodeVerifier,
        expectedState,
        expectedNonce,
        idTokenExpected: true,
      });
      const claims = tokens.claims()!;
      expect(claims.iss).toBe(system.baseUrl);
      const profile = await openid.fetchUserInfo(config, tokens.access_token, claims.sub);
      expect(profile).toMatchObject({ sub: claims.sub, email });

      const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token!);
      expect(refreshed.refresh_token).not.toBe(tokens.refresh_token);
      expect(refreshed.claims()?.sub).toBe(claims.sub);

      const active = await openid.tokenIntrospection(config, refreshed.access_token);
      expect(active).toMatchObject({ active: true, sub: claims.sub });
      await openid.tokenRevocation(config, refreshed.refresh_token!);
      expect(await openid.tokenIntrospection(config, refreshed.access_token)).toEqual({ active: false });
      await expect(openid.fetchUserInfo(config, refreshed.access_token, claims.sub)).rejects.toThrow();
    },
  );

  test('oauth4webapi 3: the whole flow with every check of the library on', async () => {
    const insecure = { [oauth.allowInsecureRequests]: true } as const;
    const issuer = new URL(system.baseUrl);
    for (const algorithm of ['oidc', 'oauth2'] as const) {
      const found = await oauth.discoveryRequest(issuer, { algorithm, ...insecure });
      expect((await oauth.processDiscoveryResponse(issuer, found)).issuer).toBe(system.baseUrl);
    }
    const found = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure });
    const as = await oauth.processDiscoveryResponse(issuer, found);
    const resource = new URL(system.baseUrl);
    const protectedResource = await oauth.resourceDiscoveryRequest(resource, insecure);
    expect(await oauth.processResourceDiscoveryResponse(resource, protectedResource)).toMatchObject({
      authorization_servers: [as.issuer],
    });

    const registered = await oauth.dynamicClientRegistrationRequest(
      as,
      { client_name: 'oauth4webapi', redirect_uris: [redirect_uri], token_endpoint_auth_method: 'none' },
      insecure,
    );
    const client = await oauth.processDynamicClientRegistrationResponse(registered);
    const verifier = oauth.generateRandomCodeVerifier();
    const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()];
    const url = new URL(as.authorization_endpoint!);
    url.search = new URLSearchParams({
      client_id: client.client_id,
      redirect_uri,
      response_type: 'code',
      scope,
      state,
      nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }).toString();
    const params = oauth.validateAuthResponse(as, client, await comeBack(url), state);
    const none = oauth.None();
    const exchanged = await oauth.authorizationCodeGrantRequest(
      as,
      client,
      none,
      params,
      redirect_uri,
      verifier,
      insecure,
    );
    const tokens = await oauth.processAuthorizationCodeResponse(as, client, exchanged, {
      expectedNonce: nonce,
      requireIdToken: true,
    });
    const jwt = await oauth.validateJwtAccessToken(
      as,
      new Request(`${system.baseUrl}/api/courses`, { headers: { authorization: `Bearer ${tokens.access_token}` } }),
      system.baseUrl,
      insecure,
    );
    expect(jwt.client_id).toBe(client.client_id);
    const userinfo = await oauth.userInfoRequest(as, client, tokens.access_token, insecure);
    const { sub } = oauth.getValidatedIdTokenClaims(tokens)!;
    expect((await oauth.processUserInfoResponse(as, client, sub, userinfo)).email).toBe(email);

    const refresh = await oauth.refreshTokenGrantRequest(as, client, none, tokens.refresh_token!, insecure);
    const refreshed = await oauth.processRefreshTokenResponse(as, client, refresh);
    const introspect = await oauth.introspectionRequest(as, client, none, refreshed.access_token, insecure);
    expect(await oauth.processIntrospectionResponse(as, client, introspect)).toMatchObject({ active: true, sub });
    const revoke = await oauth.revocationRequest(as, client, none, refreshed.refresh_token!, insecure);
    await oauth.processRevocationResponse(revoke);
    const courses = new URL(`${system.baseUrl}/api/courses`);
    const read = () =>
      oauth
        .protectedResourceRequest(refreshed.access_token, 'GET', courses, undefined, undefined, insecure)
        .catch((error: unknown) => error);
    const gone = await inForce(lag, read, (outcome) => outcome instanceof Error);
    expect(gone).toBeInstanceOf(oauth.WWWAuthenticateChallengeError);
    expect((gone as oauth.WWWAuthenticateChallengeError).status).toBe(401);
  });
});
