import { operatorApp } from '@lyceum/operations';
import { type Answer, call } from '@lyceum/testkit';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { integrationOperations } from '../operator-api/integration.internal.ts';
import type { TestAuth } from './test-auth.ts';

/** The operator API for the integrations of a service under test. */
export interface TestOperator {
  /** Sends a request to `/internal/integrations<path>`. */
  ask(method: string, path: string, json?: unknown): Promise<Answer>;
  close(): Promise<void>;
}

const token = 'operator token of a test';

export async function startOperator({ ports }: TestAuth): Promise<TestOperator> {
  const surface = { service: 'auth', operations: integrationOperations(ports.schools), ports };
  const app = operatorApp({
    token: token.replaceAll(' ', '-'),
    surfaces: [surface],
    cursorSecret: 'secret of cursors',
    logger: ports.logger as never,
    requestId: () => ports.ids.next('req'),
  });
  const server = createServer(app);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/internal/integrations`;
  return {
    ask: (method, path, json) =>
      call(`${base}${path}`, { method, token: token.replaceAll(' ', '-'), ...(json === undefined ? {} : { json }) }),
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
