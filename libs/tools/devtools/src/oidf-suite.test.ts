import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
// @ts-expect-error -- the tools of the house are plain JavaScript
import { isGood, linesOf, runPlan, tally } from './oidf-suite.mjs';

/** How each module of the pretended suite ends, and what its log says. */
const endings: Record<string, [result: string, log: readonly Record<string, string>[]]> = {
  'passes-well': ['PASSED', [{ result: 'WARNING', src: 'Unasked', msg: 'never shown' }]],
  'passes-started': ['PASSED', []],
  'awaits-eyes': ['REVIEW', [{ result: 'REVIEW', src: 'ExpectPage', msg: 'see it\nand more' }]],
  'fails-badly': [
    'FAILED',
    [
      { result: 'FAILURE', src: 'CheckIt', msg: 'wrong' },
      { result: 'SUCCESS', src: 'A', msg: 'b' },
    ],
  ],
};

describe('running a plan of the OpenID Foundation suite', () => {
  let server: Server;
  let suite: string;
  const asked: string[] = [];
  const started = new Set<string>();
  const lines: string[] = [];
  const plan = { name: 'a-plan', variant: { response_type: 'code' }, configuration: { alias: 'a' } };
  const report = (done: unknown) => void lines.push(...linesOf(done));

  const answerTo = (method: string, { pathname, searchParams }: URL): unknown => {
    const [, , what, id = ''] = pathname.split('/');
    if (method === 'POST' && what === 'plan')
      return { id: 'p', modules: Object.keys(endings).map((testModule) => ({ testModule })) };
    if (method === 'POST' && id === '') return { id: searchParams.get('test') };
    if (method === 'POST') return started.add(id);
    if (what === 'log') return endings[id]![1];
    const waits = id === 'passes-started' && !started.has(id);
    return waits ? { status: 'CONFIGURED' } : { status: 'FINISHED', result: endings[id]![0] };
  };

  beforeAll(async () => {
    server = createServer((request, response) => {
      const url = new URL(request.url!, 'http://suite');
      asked.push(`${request.method} ${url.pathname}${url.search}`);
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answerTo(request.method!, url)));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    suite = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  test('runs every module in turn, starts what a person would start, and says what was remarked', async () => {
    let prepared = 0;
    const ran = await runPlan(suite, plan, { prepared: { 'passes-started': () => (prepared += 1) }, report });
    expect([prepared, [...started]]).toEqual([1, ['passes-started']]);
    expect(asked[0]).toBe('POST /api/plan?planName=a-plan&variant=%7B%22response_type%22%3A%22code%22%7D');
    expect(lines.map((line) => line.trim().replace(/ +\d+ s +/, ' '))).toEqual([
      'PASSED passes-well',
      'PASSED passes-started',
      'REVIEW awaits-eyes',
      'REVIEW ExpectPage: see it',
      'FAILED fails-badly',
      'FAILURE CheckIt: wrong',
    ]);
    expect(tally(ran)).toBe('a-plan: 2 PASSED, 1 REVIEW, 1 FAILED');
    expect(isGood(ran)).toBe(false);
  });

  test('is good when nothing failed, and not when nothing ran', async () => {
    expect(isGood(await runPlan(suite, plan, { only: 'awaits', report }))).toBe(true);
    expect(isGood(await runPlan(suite, plan, { only: 'no such module', report }))).toBe(false);
  });
});
