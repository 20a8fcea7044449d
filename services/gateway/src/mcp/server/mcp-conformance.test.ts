import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { auth, catalog, school } from '../testing/catalog.ts';
import { fixtureServer } from '../testing/fixture-surface.ts';
import { type McpTestServer, openMcpTestServer } from '../testing/mcp-test-server.ts';

const tools = join(import.meta.dirname, '../../../../../libs/tools/devtools/conformance');
const suite = join(tools, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const packaged = join(tools, `node_modules/node-${process.platform}-${process.arch}/bin/node`);
const node = Number(process.versions.node.split('.')[0]) >= 22 ? process.execPath : packaged;
const isThere = existsSync(suite) && existsSync(node);

const ours = (name: string): string => join(import.meta.dirname, '../testing', name);

/** What the suite said of a server, in the wire format of a revision. */
async function judge(url: string, revision: string, expectedFailures: string | undefined) {
  const out = await mkdtemp(join(tmpdir(), 'lyceum-mcp-'));
  const failures = expectedFailures === undefined ? [] : ['--expected-failures', ours(expectedFailures)];
  const child = spawn(node, [suite, 'server', '--url', url, '--requirements', revision, '-o', out, ...failures]);
  let said = '';
  child.stdout.on('data', (chunk) => (said += String(chunk)));
  child.stderr.on('data', (chunk) => (said += String(chunk)));
  const code = await new Promise((resolve) => child.on('close', resolve));
  await rm(out, { recursive: true, force: true });
  return { code, said };
}

const described = isThere ? describe : describe.skip;

described(
  isThere
    ? 'the official MCP conformance suite, mode server'
    : 'the official MCP conformance suite is not installed: npm run conformance:mcp brings it',
  () => {
    let fixtures: McpTestServer;
    let natural: McpTestServer;
    beforeAll(async () => {
      fixtures = await openMcpTestServer({}, { definition: fixtureServer, limitFactor: 100 });
      natural = await openMcpTestServer({ auth, catalog, school }, { limitFactor: 100 });
    });
    afterAll(async () => {
      await fixtures.close();
      await natural.close();
    });

    test.each([
      ['2026-07-28', undefined],
      ['2025-11-25', 'conformance-2025-11-25.yml'],
    ])(
      'MCP %s: everything required holds with the registry of the suite',
      async (revision, failures) => {
        const { code, said } = await judge(fixtures.url, revision, failures);
        expect(code === 0 ? '' : said).toBe('');
      },
      120_000,
    );

    test.each([
      ['2026-07-28', 'conformance-school-2026-07-28.yml'],
      ['2025-11-25', 'conformance-school-2025-11-25.yml'],
    ])(
      'MCP %s: a school passes everything that needs no registry of the suite',
      async (revision, failures) => {
        const { code, said } = await judge(natural.url, revision, failures);
        expect(code === 0 ? '' : said).toBe('');
      },
      120_000,
    );
  },
);
