import { expect, test } from '@jest/globals';
import { serverDocuments } from './mcp-server-card.ts';
import { openMcpTestServer } from '../../mcp/testing/mcp-test-server.ts';

const documentsOf = (baseUrl: string, name = 'Lantern Craft School') =>
  Object.fromEntries(serverDocuments({ baseUrl, name }).map(({ path, value }) => [path, value])) as Record<
    string,
    // oxlint-disable-next-line typescript/no-explicit-any -- a test says what it expects of a document by asserting it
    any
  >;

test('SEP-2127: the card has a name in reverse DNS order, and fits the lengths of its schema', () => {
  const card = documentsOf('https://school.example.com', 'x'.repeat(200))['/mcp/server-card'];
  expect(card.name).toBe('com.example.school/lyceum-school');
  expect(card.description.length).toBeLessThanOrEqual(100);
  expect(documentsOf('http://[::1]:8080')['/mcp/server-card'].name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
});

test('SEP-2127: the card names the address at which clients have to sign in, where there is one', () => {
  const remotes = (hasSignInAlias: boolean) => {
    const [{ value }] = serverDocuments({ baseUrl: 'https://a.example', name: 'A', hasSignInAlias }) as unknown as [
      { value: { remotes: { url: string }[] } },
    ];
    return value.remotes.map(({ url }) => url);
  };
  expect(remotes(true)).toEqual(['https://a.example/mcp', 'https://a.example/mcp/oauth']);
  expect(remotes(false)).toEqual(['https://a.example/mcp']);
});

test('AI Catalog: the entry leads to the card, under a name of the school’s own host', () => {
  const [entry] = documentsOf('https://school.example.com:8443')['/.well-known/ai-catalog.json'].entries;
  expect(entry).toEqual({
    identifier: 'urn:air:school.example.com:mcp:lyceum-school',
    displayName: 'Lantern Craft School',
    type: 'application/mcp-server-card+json',
    url: 'https://school.example.com:8443/mcp/server-card',
  });
});

test('SEP-2127: the card says nothing but what the server says once connected', async () => {
  const edge = await openMcpTestServer();
  const card = documentsOf(edge.school.issuer)['/mcp/server-card'];
  const { name, title, version } = (await edge.modern('server/discover')).body['result']._meta[
    'io.modelcontextprotocol/serverInfo'
  ];
  expect(card.name.endsWith(`/${name}`)).toBe(true);
  expect([card.title, card.version]).toEqual([title, version]);
  const [{ url, supportedProtocolVersions }] = card.remotes;
  expect(url).toBe(edge.url);
  const [modern, ...legacy] = supportedProtocolVersions as string[];
  expect((await edge.modern('server/discover')).body['result'].supportedVersions).toEqual([modern]);
  for (const protocolVersion of legacy) {
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    expect((await edge.legacy('initialize', params)).body['result'].protocolVersion).toBe(protocolVersion);
  }
  await edge.close();
});
