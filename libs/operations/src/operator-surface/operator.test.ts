import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { memoryDocuments } from '@lyceum/documents';
import { memoryEphemeral } from '@lyceum/ephemeral';
import { memoryEventLog } from '@lyceum/eventlog';
import { type Listener, FakeClock, FakeIds, listen } from '@lyceum/testkit';
import { Problem, operation } from '@lyceum/web';
import { z } from 'zod';
import { pino } from 'pino';
import { operatorApp } from './operator.ts';

const clock = new FakeClock();
const ports = {
  log: memoryEventLog(),
  documents: memoryDocuments(),
  ephemeral: memoryEphemeral(clock),
  clock,
  ids: new FakeIds(),
};
const token = 'operator-token-of-this-test';

const echo = operation({
  id: 'echoThing',
  method: 'POST',
  path: '/internal/things',
  area: 'things',
  summary: 'Echo',
  anonymous: false,
  status: 201,
  body: z.strictObject({ name: z.string().max(5) }),
  handle: async ({ body, meta, school }) => {
    if (body.name === 'taken') throw new Problem('slug_taken');
    return { body: { name: body.name, actor: meta.actor, school } };
  },
});

describe('the operator listener', () => {
  let listener: Listener;
  const logged: string[] = [];
  beforeAll(async () => {
    const app = operatorApp({
      token,
      surfaces: [{ service: 'things', operations: [echo], ports }],
      cursorSecret: 'cursor',
      logger: pino({ level: 'info' }, { write: (line) => void logged.push(line) }),
      requestId: () => 'req_1',
    });
    listener = await listen(app);
  });
  afterAll(() => listener.close());

  const post = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`http://127.0.0.1:${listener.port}${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    });
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as Record<string, unknown>,
    };
  };
  const authorization = `Bearer ${token}`;

  test.each([{}, { authorization: 'Bearer wrong' }, { authorization: `Basic ${token}` }, { authorization: 'Bearer' }])(
    'a request with %j is 401 with a Bearer challenge',
    async (headers) => {
      const {
        status,
        body,
        headers: got,
      } = await post('/internal/things', { name: 'a' }, headers as Record<string, string>);
      expect([status, body['error'], got.get('www-authenticate')]).toEqual([401, 'invalid_token', 'Bearer']);
    },
  );

  test('with the token an operation acts for the platform, as the operator', async () => {
    const { status, body } = await post(
      '/internal/things',
      { name: 'a' },
      { authorization, 'x-school-id': 'school_1' },
    );
    expect([status, body]).toEqual([201, { name: 'a', actor: 'operator', school: '_platform' }]);
  });

  test('errors have the shape and the statuses of the table', async () => {
    const wrong = await post('/internal/things', { name: 'too long' }, { authorization });
    expect([wrong.status, wrong.body['error'], wrong.body['details']]).toEqual([
      422,
      'validation_failed',
      [expect.objectContaining({ path: 'name' })],
    ]);
    expect((await post('/internal/things', { name: 'taken' }, { authorization })).body['error']).toBe('slug_taken');
    expect((await post('/internal/thingsandmore', {}, { authorization })).status).toBe(404);
    expect((await post('/api/courses', {}, { authorization })).status).toBe(404);
  });

  test('the token never reaches the log', () => {
    expect(logged.length).toBeGreaterThan(0);
    expect(logged.join('')).not.toContain(token);
  });
});
