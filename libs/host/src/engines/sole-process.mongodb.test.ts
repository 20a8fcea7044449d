import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { uuidv5 } from '@lyceum/kernel';
import { availability } from '@lyceum/testkit';
import { silentLogger } from '@lyceum/web';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AnyModule, type ModulePorts, StartRefused, startReaction } from '@lyceum/service';
import { readEnvironment } from '../settings/environment.ts';
import { type OpenPorts, openPorts } from './ports.ts';

const { engines, reason } = await availability('mongodb');
if (engines.length === 0) test.skip(`two processes on MongoDB-wire servers: ${reason}`, () => undefined);

const module: AnyModule = { name: 'bells', routes: [], consumes: [], start: () => Promise.reject(new Error('unused')) };

describe.each(engines.slice(0, 1))('two whole processes on one $title, without Kafka', (engine) => {
  const opened: OpenPorts[] = [];
  const MONGODB_PREFIX = `sole_${randomUUID().slice(0, 8)}_`;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lyceum-sole-'));
  });
  afterEach(async () => {
    for (const each of opened.splice(0)) await each.close();
  });
  afterAll(() => rm(folder, { recursive: true }));
  const open = async (process: string) => {
    const MONGODB_URL = (await engine.shared()).url;
    const { settings } = readEnvironment([module], { MONGODB_URL, MONGODB_PREFIX, DATA_DIR: join(folder, process) });
    const ports = await openPorts([module], settings, silentLogger as never);
    opened.push(ports);
    return ports;
  };

  test('the second is refused in plain words, every effect happens once, and it may begin when the first has ended', async () => {
    const first = await open('first');
    const ports = { ...first, ...first.of('bells'), logger: silentLogger } as unknown as ModulePorts;
    const rung: unknown[] = [];
    const reaction = {
      name: 'bell',
      events: ['Rung'],
      perform: async ({ data }: { data: unknown }) => void rung.push(data),
    };
    const on = await startReaction(ports, 'bells', reaction);
    const refusal = open('second').catch((error: unknown) => error as StartRefused);
    for (let n = 0; n < 15; n += 1)
      await ports.log.append({
        tenant: 'school_1',
        expectations: [],
        events: [{ stream: `bell_${n}`, type: 'Rung', schema: 1, data: n }],
        commitId: uuidv5('rung', n),
        fingerprint: '',
        at: '2026-01-05T08:00:00.000Z',
        meta: { actor: 'system' },
      });
    const refused = await refusal;
    expect(refused).toBeInstanceOf(StartRefused);
    expect((refused as StartRefused).message).toContain('Another process works with the databases');
    await on.caughtUp();
    expect(rung).toHaveLength(15);
    await on.close();
    await opened.splice(0)[0]!.close();
    await open('second');
  }, 60_000);
});
