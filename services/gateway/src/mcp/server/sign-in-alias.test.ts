import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { llmsTxt } from '../../discovery/metadata/llms-txt.ts';
import { authMd } from '../../discovery/metadata/auth-md.ts';
import { jsonDocument } from '../../http/document.ts';
import { gateway } from '../../module.ts';
import { schoolServer } from '../school-server.ts';
import { auth, catalog, school } from '../testing/catalog.ts';
import { type McpTestServer, modernCall, openMcpTestServer } from '../testing/mcp-test-server.ts';

const metadataPath = '/.well-known/oauth-protected-resource/mcp/oauth';

describe('the address at which clients have to sign in', () => {
  let edge: McpTestServer;
  beforeEach(async () => {
    const aliasMetadata = ({ baseUrl }: { baseUrl: string }, origin = baseUrl) =>
      jsonDocument({ resource: `${origin}/mcp/oauth` });
    edge = await openMcpTestServer({ auth, catalog, school }, { aliasMetadata });
  });
  afterEach(() => edge.close());

  const at = (path: string) => `${edge.school.issuer}${path}`;
  const list = (token?: string, url = at('/mcp/oauth')) => {
    const [body, headers] = modernCall('tools/list', {}, {}, token);
    const standard = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    return fetch(url, { method: 'POST', body: JSON.stringify(body), headers: { ...standard, ...headers } });
  };

  test('RFC 6750 §3.1: without a token it is 401 with a challenge that names no error but scopes and metadata', async () => {
    const answer = await list();
    const challenge = answer.headers.get('www-authenticate') ?? '';
    expect(answer.status).toBe(401);
    expect(challenge).toContain(`resource_metadata="${at(metadataPath)}"`);
    expect(challenge).toContain('scope="openid account:read');
    expect(challenge).not.toContain('error=');
    expect((await list(undefined, edge.url)).status).toBe(200);
  });

  test('RFC 9728 §3.3: its metadata names it, and not the other address', async () => {
    const answer = await fetch(at(metadataPath));
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ resource: at('/mcp/oauth') });
  });

  test('RFC 9728 §3.3: at a custom domain its metadata and its challenge name that address', async () => {
    const headers = { 'x-school-origin': 'https://a.example', 'content-type': 'application/json' };
    expect(await (await fetch(at(metadataPath), { headers })).json()).toEqual({
      resource: 'https://a.example/mcp/oauth',
    });
    const challenge = async (path: string, more: object) => {
      const answer = await fetch(at(path), { method: 'POST', body: '{}', headers: { ...headers, ...more } });
      return [answer.status, answer.headers.get('www-authenticate')];
    };
    const named = (path: string) =>
      expect.stringContaining(`resource_metadata="https://a.example/.well-known/oauth-protected-resource${path}"`);
    expect(await challenge('/mcp/oauth', {})).toEqual([401, named('/mcp/oauth')]);
    expect(await challenge('/mcp', { authorization: 'Bearer nonsense' })).toEqual([401, named('/mcp')]);
  });

  test('RFC 8707 §2: a token for it is good there, and reaches the services by its path', async () => {
    const token = await edge.school.token({ audience: at('/mcp/oauth'), scopes: ['account:read'] });
    expect((await list(token)).status).toBe(200);
    expect((await list(token, edge.url)).status).toBe(401);
    expect((await list(await edge.school.token({ audience: at('/mcp') }))).status).toBe(200);
    const [body, headers] = modernCall('tools/call', { name: 'get_my_account', arguments: {} }, {}, token);
    const standard = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    await fetch(at('/mcp/oauth'), {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { ...standard, ...headers },
    });
    expect(edge.seen.at(-1)!.headers['x-school-token-path']).toBe('/mcp/oauth');
  });

  test('there is nothing where the operator does not want it', async () => {
    const plain = await openMcpTestServer();
    for (const path of ['/mcp/oauth', metadataPath])
      expect((await fetch(`${plain.school.issuer}${path}`, { method: 'POST' })).status).toBe(404);
    await plain.close();
  });
});

describe('where clients learn of the address', () => {
  test('the gateway offers it unless the operator does not want it', () => {
    expect(gateway.settings!.parse({}).MCP_SIGN_IN_ALIAS).toBe(true);
    expect(gateway.settings!.parse({ MCP_SIGN_IN_ALIAS: 'false' }).MCP_SIGN_IN_ALIAS).toBe(false);
  });

  test('auth.md, llms.txt and the instructions name it where there is one, and only there', async () => {
    const address = 'https://a.example/mcp/oauth';
    for (const hasSignInAlias of [true, false]) {
      const site = {
        baseUrl: 'https://a.example',
        name: 'A',
        docsUrl: '',
        limitFactor: 1,
        hasMcp: true,
        hasSignInAlias,
      };
      expect(authMd(site, new Set()).includes(address)).toBe(hasSignInAlias);
      expect(llmsTxt(site, []).includes(address)).toBe(hasSignInAlias);
      const definition = schoolServer({ secret: 'secret-of-this-test', document: () => undefined, hasSignInAlias });
      const edge = await openMcpTestServer({}, { definition, issuer: 'https://a.example' });
      const { instructions } = (await edge.modern('server/discover')).body['result'];
      expect(instructions.includes(address)).toBe(hasSignInAlias);
      expect(instructions).toContain('Signing in is optional');
      await edge.close();
    }
  });
});
