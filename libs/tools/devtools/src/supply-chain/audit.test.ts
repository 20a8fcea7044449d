import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// @ts-expect-error -- the tools of the house are plain JavaScript
import { exceptionProblems, judge, policy } from './audit-policy.mjs';

jest.setTimeout(120_000);
const root = join(import.meta.dirname, '../../../../..');
const today = new Date('2026-06-15T12:00:00Z');

const exception = {
  advisory: 'GHSA-2345-6789-cfgh',
  package: 'nodemailer',
  severity: 'high',
  reason: 'the vulnerable parser is never given what strangers send',
  decided: '2026-06-01',
  expires: '2026-06-30',
};

describe('the exceptions', () => {
  test('that are recorded are whole and have not expired: mend what they are about, or decide anew', () =>
    expect(
      exceptionProblems(JSON.parse(readFileSync(join(import.meta.dirname, 'audit-exceptions.json'), 'utf8'))),
    ).toEqual([]));

  test('count until the end of the day that they name', () => {
    expect(exceptionProblems([exception], new Date('2026-06-30T23:59:59Z'))).toEqual([]);
    expect(exceptionProblems([exception], new Date('2026-07-01T00:00:00Z'))).toEqual([
      expect.stringContaining('expired on 2026-06-30'),
    ]);
  });

  test('last no longer than the severity allows', () => {
    const long = { ...exception, expires: '2026-07-15' };
    expect(exceptionProblems([long], today)).toEqual([
      expect.stringContaining('more than the 30 days of severity high'),
    ]);
    expect(exceptionProblems([{ ...long, severity: 'moderate' }], today)).toEqual([]);
  });

  test.each([
    ['advisory', 'CVE-2026-1', 'is no GHSA'],
    ['advisory', undefined, 'is missing'],
    ['package', '../x', 'is no name of a package'],
    ['severity', 'toString', 'is none of critical'],
    ['reason', 'because', 'says too little'],
    ['decided', '2026-02-31', 'is no day'],
    ['decided', '2026-06-16', 'which is not yet'],
    ['expires', 'never', 'is no day'],
    ['forever', 'true', 'is not known'],
  ])('with %s = %s are refused', (field, value, reason) =>
    expect(exceptionProblems([{ ...exception, [field]: value }], today)).toEqual([expect.stringContaining(reason)]),
  );

  test.each([null, {}, 'GHSA', [null], [3]])('that are %j are refused', (value) =>
    expect(exceptionProblems(value, today)).not.toEqual([]),
  );
});

/** A report of npm with one advisory of a package at its place. */
const report = (severity: string, name = 'nodemailer'): object => ({
  auditReportVersion: 2,
  vulnerabilities: {
    [name]: {
      name,
      nodes: [`node_modules/${name}`],
      via: [{ url: 'https://example.org/GHSA-2345-6789-cfgh', severity, title: 'reads too much', range: '<9' }],
    },
    above: { name: 'above', nodes: ['node_modules/above'], via: [name] },
  },
});

describe('the policy', () => {
  test.each(Object.keys(policy as object))('for severity %s blocks or gives time', (severity) => {
    const { blocks, notes } = judge(report(severity), [], ['node_modules/nodemailer']);
    const isGrave = severity === 'critical' || severity === 'high';
    expect([blocks.length, notes.length]).toEqual(isGrave ? [1, 0] : [0, 1]);
  });

  test('takes a severity that it does not know for the worst', () =>
    expect(judge(report('apocalyptic'), [], ['node_modules/nodemailer']).blocks).toHaveLength(1));

  test('tells of what only tests use, and does not block for it', () => {
    const { blocks, notes } = judge(report('critical', 'testcontainers'), [], ['node_modules/nodemailer']);
    expect([blocks, notes]).toEqual([[], [expect.stringContaining('only tests and tools use it')]]);
  });

  test('lets an exception count for its advisory, its package and its severity alone', () => {
    expect(judge(report('high'), [exception], ['node_modules/nodemailer'])).toMatchObject({ blocks: [], idle: [] });
    for (const other of [{ package: 'koa' }, { severity: 'low' }, { advisory: 'GHSA-9999-9999-9999' }])
      expect(judge(report('high'), [{ ...exception, ...other }], ['node_modules/nodemailer']).blocks).toHaveLength(1);
  });

  test('tells of an exception that nothing needs any more', () =>
    expect(judge({ vulnerabilities: {} }, [exception], [])).toEqual({
      blocks: [],
      notes: [],
      idle: [exception.advisory],
    }));
});

describe('npm run audit', () => {
  let server: Server | undefined;
  let cache = '';
  beforeEach(() => void (cache = mkdtempSync(join(tmpdir(), 'lyceum-audit-'))));
  afterEach(() => {
    server?.close();
    rmSync(cache, { recursive: true });
  });

  /** Runs it against a registry that knows of these advisories, or refuses to tell. */
  async function audited(advisories: object | undefined): Promise<[code: number, output: string]> {
    server = createServer((request, response) => {
      request.resume();
      if (request.method !== 'POST') return void response.writeHead(404).end('{}');
      if (advisories === undefined) return void response.writeHead(405).end('no');
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(advisories));
    });
    await new Promise<void>((resolve) => void server!.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const env = {
      ...process.env,
      npm_config_registry: `http://127.0.0.1:${port}`,
      // npm remembers an advisory by its number.
      npm_config_cache: cache,
      npm_config_fetch_retries: '0',
      npm_config_update_notifier: 'false',
    };
    const script = join(import.meta.dirname, 'audit.mjs');
    return new Promise((resolve) => {
      const child = execFile('node', [script], { cwd: root, env, encoding: 'utf8' }, (_, stdout, stderr) =>
        resolve([child.exitCode!, stdout + stderr]),
      );
    });
  }

  const known = (severity: string): object => ({
    id: 1,
    url: 'https://example.org/advisories/GHSA-2345-6789-cfgh',
    title: 'reads too much',
    severity,
    vulnerable_versions: '<=999',
    cwe: [],
    cvss: { score: 0, vectorString: null },
  });

  test('ends with 0 where nothing is known that blocks', async () =>
    expect(await audited({ nodemailer: [known('low')] })).toEqual([0, expect.stringContaining('within 180 days')]));

  test('ends with 1 where something blocks, and names it', async () =>
    expect(await audited({ nodemailer: [known('high')], testcontainers: [known('critical')] })).toEqual([
      1,
      expect.stringMatching(/only tests and tools use it[^]*blocks: high nodemailer/),
    ]));

  test('ends with 3 where the registry does not tell: nothing is known then', async () =>
    expect(await audited(undefined)).toEqual([3, expect.stringMatching(/does not tell[^]*Nothing was judged/)]));
});
