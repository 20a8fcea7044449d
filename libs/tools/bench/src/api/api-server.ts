import { Router } from '@koa/router';
import { portOf } from '@lyceum/testkit';
import { type ServiceUnderTest, serviceUnderTest } from '@lyceum/testkit-service';
import Koa from 'koa';
import { once } from 'node:events';
import { type RequestListener, createServer } from 'node:http';

/** Where the measured process is asked, and with which headers. */
export interface Endpoint {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

const root = new URL('../../../../../', import.meta.url);

/** The owner's course as the catalogue answers it, and the token that the test kit issued for the request. */
async function course(): Promise<{ service: ServiceUnderTest; path: string; body: string; authorization: string }> {
  // A library imports no service; a build is measured where it stands.
  const { catalog } = await import(new URL('services/catalog/dist/module.js', root).href);
  let authorization = '';
  const service = await serviceUnderTest({
    ...catalog,
    async start(ports: never) {
      const started = await catalog.start(ports);
      const app: RequestListener = (request, response) => {
        authorization = request.headers.authorization ?? '';
        return started.app(request, response);
      };
      return { ...started, app };
    },
  });
  const created = await service.call('POST', '/api/courses', { body: { title: 'Measured' } });
  const path = `/api/courses/${created.body.id}`;
  const { body } = await service.call('GET', path);
  return { service, path, body: JSON.stringify(body), authorization };
}

/**
 * The process that is measured. `service`: the catalogue from its build, on engines in memory, with one course that its
 * owner reads by an access token. `koa`: the same answer by Koa and @koa/router alone. Sends its `Endpoint` to its parent.
 */
const { service, path, body, authorization } = await course();

function bare(): RequestListener {
  const router = new Router();
  router.get('/api/courses/:course', (context) => {
    context.type = 'application/json';
    context.body = body;
  });
  const app = new Koa();
  app.use(router.routes());
  return app.callback();
}

const server = createServer(process.argv[2] === 'koa' ? bare() : (service.started.app as RequestListener));
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const port = portOf(server);
const endpoint: Endpoint = {
  url: `http://127.0.0.1:${port}${path}`,
  headers: { authorization, 'x-school-id': 'school_1' },
};
process.send?.(endpoint);
