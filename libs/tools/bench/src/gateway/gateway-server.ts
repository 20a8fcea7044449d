import { portOf } from '@lyceum/testkit';
import { once } from 'node:events';
import { Agent, type RequestListener, createServer } from 'node:http';
import { createRequire } from 'node:module';

/**
 * A process beside the gateway that is measured. Arguments: `service` for what stands behind every proxy, or `http-proxy`
 * and the URL of that. Tells its own URL to the process that forked it.
 */
const [kind, target] = process.argv.slice(2);

/** The part of http-proxy that is measured. */
interface HttpProxy {
  createProxyServer(options: object): {
    web(...exchange: Parameters<RequestListener>): void;
    on(event: 'error', listener: () => void): void;
  };
}

const body = Buffer.from(JSON.stringify({ object: 'course', title: 'Measured', text: 'x'.repeat(292) }));

const answer: RequestListener = (_request, response) => {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length }).end(body);
};

function proxy(): RequestListener {
  const require = createRequire(new URL('../../peers/package.json', import.meta.url));
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const made = (require('http-proxy') as HttpProxy).createProxyServer({ target, agent });
  made.on('error', () => undefined);
  return (request, response) => made.web(request, response);
}

const server = createServer({ keepAliveTimeout: 65_000 }, kind === 'service' ? answer : proxy());
server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.send?.(`http://127.0.0.1:${portOf(server)}`);
