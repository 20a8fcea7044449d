import { setTimeout as sleep } from 'node:timers/promises';
import type { Way } from './ways.ts';

/** Says nothing for a while and tells that the connection stayed open: no status. */
const held = 100;

/** By what comes before a request is understood: connections, heads, bodies. */
export const connectingWays: readonly Way[] = [
  {
    name: 'a connection for each request',
    lanes: 16,
    works: [200],
    begin: (_, lane) => () =>
      lane.connect((socket, head) =>
        socket.write(`GET /api/courses?limit=1 HTTP/1.1\r\n${head}Connection: close\r\n\r\n`),
      ),
  },
  {
    name: 'connections that say nothing, or half a head',
    lanes: 200,
    works: [held, 408],
    begin: (_, lane) => async () =>
      Promise.race([
        lane.connect((socket, head) => {
          if (lane.index % 2) socket.write(`GET / HTTP/1.1\r\n${head}`);
          setTimeout(() => socket.destroy(), 5_000).unref();
        }),
        sleep(2_000 + Math.random() * 2_000, held, { ref: false }),
      ]),
  },
  {
    name: 'slow bodies',
    lanes: 100,
    works: [400],
    begin: (_, lane) => () =>
      lane.connect((socket, head) => {
        const about = `Content-Type: application/json\r\nContent-Length: 20\r\n\r\n`;
        socket.write(`POST /api/oauth/register HTTP/1.1\r\n${head}${about}`);
        let left = 20;
        const dripping = setInterval(() => {
          if (left === 0 || socket.destroyed) return clearInterval(dripping);
          left -= 1;
          socket.write('x');
        }, 100);
      }),
  },
  {
    name: 'huge heads',
    lanes: 8,
    works: [200, 431],
    begin: (_, lane) => async () => {
      const cookie = `a=${'x'.repeat(lane.index % 2 ? 12_000 : 20_000)}`;
      return (await lane.ask({ path: '/api/courses?limit=1', headers: { cookie } }).catch(() => ({ status: 0 })))
        .status;
    },
  },
  {
    name: 'malformed requests',
    lanes: 8,
    works: [400],
    begin: (_, lane) => () =>
      lane.connect((socket, head) => socket.write(`GE\x01T /api/courses HTTP/1.1\r\n${head}\r\n`)),
  },
];
