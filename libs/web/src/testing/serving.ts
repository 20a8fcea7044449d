import { memoryDocuments } from '@lyceum/documents';
import { memoryEphemeral } from '@lyceum/ephemeral';
import { memoryEventLog } from '@lyceum/eventlog';
import { FakeClock, FakeIds } from '@lyceum/testkit';
import { type TestSchool, type TokenClaims, testSchool } from '@lyceum/oauth/testing';
import { type IncomingHttpHeaders, type Server, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type MountOptions, type Operation, type Ports, mount } from '../index.ts';

/** A raw answer. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The parsed body; undefined when empty. */
  readonly json: Record<string, never>;
}

/** What a test sends. */
export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: unknown;
  /** Sends these bytes as they are. */
  readonly raw?: string | Buffer;
  /** Claims of the token; `none` or left out: no token. */
  readonly as?: TokenClaims;
}

/** A mounted service on a real port. */
export interface Serving {
  readonly school: TestSchool;
  readonly clock: FakeClock;
  readonly ports: Ports;
  readonly lines: object[];
  readonly errors: object[];
  send(path: string, sent?: Sent): Promise<Answer>;
  /** Posts the beginning of a body and hangs up. */
  abort(path: string, beginning: string): Promise<void>;
  close(): Promise<void>;
}

/** Serves operations from memory on a free port of 127.0.0.1. */
export async function serving(operations: readonly Operation[], more: Partial<MountOptions> = {}): Promise<Serving> {
  const clock = new FakeClock();
  const school = await testSchool({ clock });
  const ports: Ports = {
    log: memoryEventLog(),
    documents: memoryDocuments(),
    ephemeral: memoryEphemeral(clock),
    clock,
    ids: new FakeIds(),
    ...more.ports,
  };
  const lines: object[] = [];
  const errors: object[] = [];
  const logger = { info: (line: object) => void lines.push(line), error: (line: object) => void errors.push(line) };
  const options = {
    service: 'test',
    operations,
    trust: school.trust,
    cursorSecret: 'a secret for tests',
    logger,
    ...more,
    ports,
  };
  const server: Server = createServer(mount(options).callback());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    school,
    clock,
    ports,
    lines,
    errors,
    async send(path, { method = 'GET', headers = {}, body, raw, as } = {}) {
      const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
      const all = {
        'x-school-id': school.id,
        ...(payload === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(payload)) }),
        ...(as ? { authorization: `Bearer ${await school.token(as)}` } : {}),
        ...headers,
      };
      return exchange(port, method, path, all, payload);
    },
    abort: (path, beginning) =>
      new Promise((resolve) => {
        const headers = { 'x-school-id': school.id, 'content-type': 'application/json', 'content-length': '1000' };
        const sending = request({ host: '127.0.0.1', port, method: 'POST', path, headers, agent: false });
        sending.on('error', () => resolve());
        sending.write(beginning, () => setTimeout(() => sending.destroy(new Error('gone')), 30));
      }),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await Promise.all([ports.log.close(), ports.documents.close(), ports.ephemeral.close()]);
    },
  };
}

function exchange(
  port: number,
  method: string,
  path: string,
  headers: Readonly<Record<string, string | string[]>>,
  payload: string | Buffer | undefined,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sending = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const isJson = text !== '' && /\bjson/.test(response.headers['content-type'] ?? 'json');
        const json = isJson ? JSON.parse(text) : undefined;
        resolve({ status: response.statusCode!, headers: response.headers, text, json });
      });
      response.on('error', reject);
    });
    sending.on('error', reject);
    sending.end(payload);
  });
}
