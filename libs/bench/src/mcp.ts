import { call, startSystem } from '@lyceum/testkit';
import { Pool } from 'undici';
import type { Case, Running, Side } from './case.ts';
import { usageOf } from './process-usage.ts';
import { callers } from './workload.ts';

const revision = '2026-07-28';

/** Hosts that call side by side. */
const hosts = 8;

/** One message in the wire format of the newest revision, with the headers that belong to it. */
function message(method: string, params: Readonly<Record<string, unknown>>) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return {
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': revision,
      'mcp-method': method,
      ...(typeof params['name'] === 'string' ? { 'mcp-name': params['name'] } : {}),
    },
  };
}

type Asking = (pool: Pool, course: string) => Promise<void>;

/** The whole system from its build, asked through the gateway; the processor time is that of its process, catalogue and all. */
async function open(ask: Asking): Promise<Running> {
  const system = await startSystem({ env: { RATE_LIMIT_FACTOR: '999999', LOG_LEVEL: 'warn' } });
  const pool = new Pool(system.baseUrl, { connections: hosts, pipelining: 1 });
  const { body } = await call(`${system.baseUrl}/api/courses`);
  const course = (body.data as { id: string }[])[0]!.id;
  return {
    async round(milliseconds) {
      const before = await usageOf(system.process.pid!);
      const began = performance.now();
      const latencies = await callers(hosts, milliseconds, () => ask(pool, course));
      const took = performance.now() - began;
      const after = await usageOf(system.process.pid!);
      const server = { milliseconds: took, cpu: after.cpu - before.cpu, megabytes: after.megabytes };
      return { operations: latencies.length, latencies, server };
    },
    async close() {
      await pool.close();
      await system.stop();
    },
  };
}

const speak =
  (method: string, paramsOf: (course: string) => Readonly<Record<string, unknown>>): Asking =>
  async (pool, course) => {
    const { statusCode, body } = await pool.request({
      method: 'POST',
      path: '/mcp',
      ...message(method, paramsOf(course)),
    });
    const text = await body.text();
    if (statusCode !== 200 || !text.includes('"resultType":"complete"') || text.includes('"isError":true'))
      throw new Error(`${method} answered ${statusCode}: ${text.slice(0, 200)}`);
  };

/** A plain request of the API: what the same answer costs without the protocol around it. */
const read: Asking = async (pool, course) => {
  const { statusCode, body } = await pool.request({ method: 'GET', path: `/api/courses/${course}` });
  await body.dump();
  if (statusCode !== 200) throw new Error(`the course answered ${statusCode}`);
};

const side = (name: string, ask: Asking): Side => ({ name, open: () => open(ask) });

/** What the server for agents costs; the goal of 400 µs is for the column of processor time. */
export const mcpCases: readonly Case[] = [
  {
    name: 'MCP tools/list, anonymous',
    unit: 'calls',
    sides: [
      side(
        'through the gateway',
        speak('tools/list', () => ({})),
      ),
    ],
  },
  {
    name: 'MCP tools/call get_course, anonymous',
    unit: 'calls',
    sides: [
      side(
        'through the gateway',
        speak('tools/call', (id) => ({ name: 'get_course', arguments: { id } })),
      ),
      side('GET /api/courses/{course}', read),
    ],
  },
];
