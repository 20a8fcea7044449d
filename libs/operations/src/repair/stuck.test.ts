import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { memoryDocuments } from '@lyceum/documents';
import { memoryEphemeral } from '@lyceum/ephemeral';
import { memoryEventLog } from '@lyceum/eventlog';
import { type Listener, FakeClock, FakeIds, listen } from '@lyceum/testkit';
import { checkOperations } from '@lyceum/web';
import { pino } from 'pino';
import { operatorApp } from '../operator-surface/operator.ts';
import type { OperatedProcess } from '@lyceum/service';
import { stuckOperations } from './stuck.ts';

const token = 'operator-token-of-this-test';
const row = {
  tenant: 'school_1',
  correlation: 'order_1',
  error: 'Error: no answer',
  since: '2026-01-05T08:00:00.000Z',
};

describe('stuck processes', () => {
  let listener: Listener;
  let stuck: readonly (typeof row)[];
  const checkout: OperatedProcess = {
    name: 'checkout',
    stuck: async () => stuck,
    resume: async (tenant, correlation) => {
      stuck = stuck.filter((each) => each.tenant !== tenant || each.correlation !== correlation);
    },
  };
  beforeEach(async () => {
    const clock = new FakeClock();
    const [log, documents, ephemeral] = [memoryEventLog(), memoryDocuments(), memoryEphemeral(clock)];
    const operations = stuckOperations(() => [{ service: 'commerce', process: checkout }]);
    checkOperations(operations);
    stuck = [row, { ...row, correlation: 'order_2' }];
    const ports = { log, documents, ephemeral, clock, ids: new FakeIds() };
    const surfaces = [{ service: 'commerce', operations, ports }];
    const given = { token, surfaces, cursorSecret: 'c', logger: pino({ level: 'silent' }), requestId: () => 'req_1' };
    listener = await listen(operatorApp(given));
  });
  afterEach(() => listener.close());

  const ask = async (method: string, path: string) => {
    const url = `http://127.0.0.1:${listener.port}/internal/stuck${path}`;
    const answer = await fetch(url, { method, headers: { authorization: `Bearer ${token}` } });
    return { status: answer.status, body: (await answer.json()) as { data: { id: string }[] } };
  };

  test('are listed with what they failed of, and resumed one by one', async () => {
    const { body } = await ask('GET', '?service=commerce');
    const { tenant: school, correlation, error, since } = row;
    const shown = {
      id: expect.any(String),
      service: 'commerce',
      process: 'checkout',
      school,
      correlation,
      error,
      since,
    };
    expect(body.data).toEqual([shown, { ...shown, correlation: 'order_2' }]);
    const resume = `/${body.data[0]!.id}/resume`;
    expect((await ask('POST', resume)).status).toBe(202);
    expect((await ask('GET', '')).body.data).toEqual([{ ...shown, correlation: 'order_2' }]);
    expect((await ask('POST', resume)).status).toBe(404);
    expect((await ask('GET', '?service=other')).body.data).toEqual([]);
  });
});
