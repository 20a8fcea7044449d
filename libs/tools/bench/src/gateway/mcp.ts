import { call, startSystem } from '@lyceum/testkit';
import { Pool } from 'undici';
import type { Case, Running, Side } from '../measuring/case.ts';
import { preheat } from '../measuring/preheat.ts';
import { requestRound } from '../measuring/request-round.ts';

const revisions = { modern: '2026-07-28', legacy: '2025-11-25' } as const;
type Era = keyof typeof revisions;

/** Hosts that call side by side. */
const hosts = 8;

/** One message in the wire format of a revision, with the headers that belong to it. */
function message(era: Era, method: string, params: Readonly<Record<string, unknown>>) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': revisions.modern,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const standard = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': revisions[era],
  };
  if (era === 'legacy') return { body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), headers: standard };
  const named = typeof params['name'] === 'string' ? { 'mcp-name': params['name'] } : {};
  return {
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
    headers: { ...standard, 'mcp-method': method, ...named },
  };
}

type Asking = (pool: Pool, course: string) => Promise<void>;

/** The whole system from its build, asked through the gateway; the processor time is that of its process, catalogue and all. */
async function open(ask: Asking): Promise<Running> {
  const system = await startSystem({
    nodeArgs: process.execArgv,
    env: { RATE_LIMIT_FACTOR: '999999', LOG_LEVEL: 'warn' },
  });
  const pool = new Pool(system.baseUrl, { connections: hosts, pipelining: 1 });
  const { body } = await call(`${system.baseUrl}/api/courses`);
  const course = (body.data as { id: string }[])[0]!.id;
  const round = (milliseconds: number) =>
    requestRound(system.process.pid!, hosts, milliseconds, () => ask(pool, course));
  await preheat(round);
  return {
    round,
    async close() {
      await pool.close();
      await system.stop();
    },
  };
}

const speak =
  (era: Era, method: string, paramsOf: (course: string) => Readonly<Record<string, unknown>>): Asking =>
  async (pool, course) => {
    const { statusCode, body } = await pool.request({
      method: 'POST',
      path: '/mcp',
      ...message(era, method, paramsOf(course)),
    });
    const text = await body.text();
    if (statusCode !== 200 || !text.includes('"result":{') || text.includes('"isError":true'))
      throw new Error(`${method} answered ${statusCode}: ${text.slice(0, 200)}`);
  };

/** A plain request of the API: what the same answer costs without the protocol around it. */
const read =
  (pathOf: (course: string) => string): Asking =>
  async (pool, course) => {
    const { statusCode, body } = await pool.request({ method: 'GET', path: pathOf(course) });
    await body.dump();
    if (statusCode !== 200) throw new Error(`${pathOf(course)} answered ${statusCode}`);
  };

const side = (name: string, ask: Asking): Side => ({ name, open: () => open(ask) });

const list = (era: Era): Case => ({
  name: `MCP ${revisions[era]}, tools/list, anonymous`,
  unit: 'calls',
  sides: [
    side(
      'through the gateway',
      speak(era, 'tools/list', () => ({})),
    ),
  ],
  goals: { cpu: 700 },
});

/** A tool beside the request of the API that it makes. */
const tool = (
  name: string,
  argumentsOf: (course: string) => Readonly<Record<string, unknown>>,
  pathOf: (course: string) => string,
): Case => ({
  name: `MCP ${revisions.modern}, tools/call ${name}, anonymous`,
  unit: 'calls',
  sides: [
    side(
      'through the gateway',
      speak('modern', 'tools/call', (course) => ({ name, arguments: argumentsOf(course) })),
    ),
    side(`GET ${pathOf('{course}')}`, read(pathOf)),
  ],
  goals: { cpu: 700 },
});

/** What the server for agents costs, in processor time of the whole system's process. */
export const mcpCases: readonly Case[] = [
  list('modern'),
  list('legacy'),
  tool(
    'get_school',
    () => ({}),
    () => '/api/school',
  ),
  tool(
    'search',
    () => ({ query: 'lantern' }),
    () => '/api/courses?q=lantern&limit=20&sort=-created_at',
  ),
  tool(
    'get_course',
    (id) => ({ id }),
    (course) => `/api/courses/${course}`,
  ),
];
