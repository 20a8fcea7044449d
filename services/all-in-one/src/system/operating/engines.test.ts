import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { freePort, runSystem, startSystem } from '@lyceum/testkit';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const drivers = /^(mongodb|kafkajs|ioredis|libsql|pino)$/;

/** Preloaded into a process, it writes down every driver that is imported or required. */
const preload = (record: string, hooks: string) => `
import { appendFileSync } from 'node:fs';
import Module, { register } from 'node:module';
register(${JSON.stringify(hooks)}, { data: ${JSON.stringify(record)} });
const load = Module._load;
Module._load = (name, ...rest) => {
  if (${drivers}.test(name)) appendFileSync(${JSON.stringify(record)}, name + '\\n');
  return load(name, ...rest);
};
`;
const hooks = `
import { appendFileSync } from 'node:fs';
let record;
export const initialize = (file) => void (record = file);
export function resolve(specifier, context, next) {
  if (${drivers}.test(specifier)) appendFileSync(record, specifier + '\\n');
  return next(specifier, context);
}
`;

describe('the engines of a process', () => {
  let folder: string;
  let env: { NODE_OPTIONS: string };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lyceum-engines-'));
    const [watch, preloaded] = [join(folder, 'hooks.mjs'), join(folder, 'preload.mjs')];
    await writeFile(watch, hooks);
    await writeFile(preloaded, preload(join(folder, 'record'), pathToFileURL(watch).href));
    env = { NODE_OPTIONS: `--import ${pathToFileURL(preloaded).href}` };
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const loaded = async (): Promise<Set<string>> => {
    const record = join(folder, 'record');
    const names = (await readFile(record, 'utf8')).trim().split('\n');
    await rm(record);
    return new Set(names);
  };

  test('the embedded start loads no driver of a cluster', async () => {
    const system = await startSystem({ env });
    await system.stop();
    expect([...(await loaded())].sort()).toEqual(['libsql', 'pino']);
  }, 60_000);

  test('--check says of each chosen engine that it does not answer, without its password, and loads its driver', async () => {
    const port = await freePort();
    const { code, output } = await runSystem(['--check'], {
      ...env,
      PORT: String(await freePort()),
      OPERATOR_PORT: String(await freePort()),
      DATA_DIR: join(folder, 'data'),
      MONGODB_URL: `mongodb://lyceum:planted@127.0.0.1:${port}/`,
      KAFKA_BROKERS: `127.0.0.1:${port}`,
      REDIS_URL: `redis://:planted@127.0.0.1:${port}`,
    });
    expect(code).toBe(1);
    for (const what of ['MONGODB_URL: MongoDB', `KAFKA_BROKERS: Kafka at 127.0.0.1:${port}`, 'REDIS_URL: Redis'])
      expect(output).toContain(`${what} does not answer (`);
    expect(output).not.toContain('planted');
    const names = await loaded();
    for (const name of ['mongodb', 'kafkajs', 'ioredis']) expect(names).toContain(name);
  }, 60_000);
});
