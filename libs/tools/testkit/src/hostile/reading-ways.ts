import { randomBytes } from 'node:crypto';
import type { HostileSchool } from './hostile-school.ts';
import type { Asked, Lane } from './lane.ts';
import type { Way } from './ways.ts';

const bearer = ({ tokens }: HostileSchool, { index }: Lane) => ({
  authorization: `Bearer ${tokens[index % tokens.length]!}`,
});

const reading =
  (what: (school: HostileSchool, lane: Lane, turn: number) => Asked): Way['begin'] =>
  (school, lane) => {
    let turn = 0;
    return async () => (await lane.ask(what(school, lane, (turn += 1)))).status;
  };

const pages = [
  '/',
  '/courses/first-steps',
  '/llms.txt',
  '/pricing.md',
  '/docs',
  '/openapi.json',
  '/auth.md',
  '/nothing',
];
const words = ['a', 'le', 'mu', 'reading notes', 'first twelve short', 'gently theory free', 'piano lamp hand'];

/** A batch of the revision of MCP that has them: twenty searches. */
const batch = Array.from({ length: 20 }, (_, id) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'search_courses', arguments: { query: words[id % words.length], limit: 50 } },
}));
const call = (name: string, args: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args },
});
const mcp = (body: unknown): Asked => ({
  method: 'POST',
  path: '/mcp',
  headers: { accept: 'application/json, text/event-stream' },
  body,
});

/** By asking for what is there: pages, lists, searches, changes, tools. */
export const readingWays: readonly Way[] = [
  {
    name: 'bursts on public pages',
    lanes: 32,
    works: [200],
    begin: reading((_, { index }, turn) => ({
      path: pages[(index + turn) % pages.length]!,
      headers: {
        accept: 'text/html, */*',
        'accept-encoding': turn % 2 ? 'br' : 'gzip',
        'accept-language': turn % 3 ? 'de' : 'ja',
      },
    })),
  },
  {
    name: 'searches',
    lanes: 32,
    works: [200],
    begin: reading((school, lane, turn) => ({
      path: `/api/courses?limit=100&q=${encodeURIComponent(words[turn % words.length]!)}&tag=${turn}`.replace(
        /&tag=\d*[1-9]$/,
        '',
      ),
      headers: turn % 2 ? bearer(school, lane) : {},
    })),
  },
  {
    name: 'expanded lists with deep cursors',
    lanes: 16,
    works: [200],
    begin(school, lane) {
      let cursor: string | undefined;
      return async () => {
        const path = `/api/courses?limit=20&expand=lecturers${cursor === undefined ? '' : `&cursor=${cursor}`}`;
        const { status, text } = await lane.ask({ path, headers: bearer(school, lane) });
        cursor =
          status === 200 ? ((JSON.parse(text) as { next_cursor: string | null }).next_cursor ?? undefined) : undefined;
        return status;
      };
    },
  },
  {
    name: 'polling for changes',
    lanes: 32,
    works: [200],
    begin: reading((school, lane, turn) => ({
      path: '/api/changes?limit=100',
      headers: turn % 2 ? bearer(school, lane) : {},
    })),
  },
  {
    name: 'waiting for changes, and streams of them',
    lanes: 64,
    works: [200],
    begin: reading((school, lane, turn) => ({
      path: '/api/changes?after=now',
      headers: {
        ...(lane.index % 2 ? { accept: 'text/event-stream' } : { prefer: 'wait=5' }),
        ...(turn % 2 ? bearer(school, lane) : {}),
      },
      atMost: 3_000,
    })),
  },
  { name: 'batches of MCP', lanes: 16, works: [200], begin: reading(() => mcp(batch)) },
  {
    name: 'tools of MCP',
    lanes: 16,
    works: [200],
    begin: reading((school, lane, turn) => {
      const asked =
        turn % 2
          ? call('search_courses', { query: words[turn % words.length], limit: 50 })
          : { jsonrpc: '2.0', id: 1, method: 'tools/list' };
      const { headers, ...rest } = mcp(asked);
      return { ...rest, headers: { ...headers, ...(turn % 3 ? {} : bearer(school, lane)) } };
    }),
  },
  {
    name: 'forged signatures',
    lanes: 16,
    works: [401],
    begin: reading(({ tokens }) => ({
      path: '/api/courses',
      headers: { authorization: `Bearer ${tokens[0]!.replace(/[^.]+$/, randomBytes(64).toString('base64url'))}` },
    })),
  },
  {
    name: 'more requests than a quota has',
    lanes: 32,
    works: [429],
    begin: reading(() => ({ path: '/api/courses', from: '198.51.100.1' })),
  },
];
