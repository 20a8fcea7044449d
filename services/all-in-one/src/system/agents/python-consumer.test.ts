import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, type Engine, type System, availability, call, startSystem, until } from '@lyceum/testkit';
import { type IHeaders, Kafka, type KafkaMessage, logLevel } from 'kafkajs';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type PythonProgram, pythonEnvironment } from '../../testing/agents/python-program.ts';

const examples = join(import.meta.dirname, '../../../../../docs/examples');
const program = join(examples, 'consumer.py');
const historyToken = 'history-token-of-this-test-alone';

test('the example has at most 100 lines', async () => {
  expect((await readFile(program, 'utf8')).trimEnd().split('\n').length).toBeLessThanOrEqual(100);
});

const { engines, reason } = await availability('kafka');
const [engine] = engines;
const made = engine ? await pythonEnvironment(join(examples, 'requirements.txt')) : reason;
if (!engine || typeof made === 'string')
  test.skip(`a consumer in another language: ${made as string}`, () => undefined);
else describe(`a consumer in Python on ${engine.title}`, () => story(engine, made));

/** One story: a program of another team, with a token for histories, beside the whole system. */
function story(engine: Engine, python: Exclude<typeof made, string>): void {
  const prefix = `${randomUUID()}.`;
  const topic = `${prefix}school.events`;
  let system: System;
  let running: PythonProgram;
  let kafka: Kafka;
  let state: string;
  let school: string;
  let brokers: string;

  const begin = () =>
    python.start(program, {
      KAFKA_BROKERS: brokers,
      KAFKA_PREFIX: prefix,
      OWNER_URL: system.baseUrl,
      HISTORY_TOKEN: historyToken,
      STATE: join(state, 'state.db'),
      // After its start it does not look at the owner by itself: what it knows then, Kafka has brought.
      LOOK_EVERY: '3600',
    });
  const operate = (path: string, json: object) =>
    call(`${system.operatorUrl}/internal${path}`, { method: 'POST', token: system.operatorToken, json });
  const personJoins = async (): Promise<string> => {
    const email = `${randomUUID()}@python.test`;
    const password = 'a lantern hangs at dusk';
    const { status, body } = await operate('/accounts', { school, email, name: 'A person', password });
    expect(status).toBe(201);
    return body.id as string;
  };
  const members = (last: unknown): number => (last as Readonly<Record<string, number>> | undefined)?.[school] ?? 0;
  const knows = (count: number) => running.until((last) => members(last) === count);

  /** Everything that the topic has, in order. */
  async function records(): Promise<readonly (KafkaMessage & { readonly partition: number })[]> {
    const found: (KafkaMessage & { readonly partition: number })[] = [];
    const bounds = await offsets();
    const wanted = bounds.reduce((sum, { low, high }) => sum + Number(high) - Number(low), 0);
    const consumer = kafka.consumer({ groupId: randomUUID() });
    await consumer.connect();
    await consumer.subscribe({ topic, fromBeginning: true });
    await consumer.run({ eachMessage: async ({ partition, message }) => void found.push({ partition, ...message }) });
    await until(() => found.length >= wanted, `${wanted} records`).finally(() => consumer.disconnect());
    return found;
  }
  async function offsets() {
    const admin = kafka.admin();
    await admin.connect();
    const found = await admin.fetchTopicOffsets(topic);
    await admin.disconnect();
    return found;
  }
  const written = async (): Promise<number> => (await offsets()).reduce((sum, { high }) => sum + Number(high), 0);
  const untilWritten = (more: number) => until(async () => (await written()) >= more, `record ${more}`);
  /** As after the time that the topic keeps them. */
  async function dropRecords(): Promise<void> {
    const admin = kafka.admin();
    await admin.connect();
    const partitions = (await admin.fetchTopicOffsets(topic)).map(({ partition }) => ({ partition, offset: '-1' }));
    await admin.deleteTopicRecords({ topic, partitions });
    await admin.disconnect();
  }
  async function send(partition: number, headers: IHeaders, value: Buffer | string | null): Promise<void> {
    const producer = kafka.producer();
    await producer.connect();
    await producer.send({ topic, messages: [{ partition, key: school, headers, value }] });
    await producer.disconnect();
  }
  const header = ({ headers }: KafkaMessage, name: string): string => String(headers?.[name] ?? '');

  beforeAll(async () => {
    const server = await engine.shared();
    brokers = server.url;
    kafka = new Kafka({ brokers: brokers.split(','), clientId: 'test', logLevel: logLevel.NOTHING });
    state = await mkdtemp(join(tmpdir(), 'lyceum-consumer-'));
    system = await startSystem({
      env: {
        KAFKA_BROKERS: brokers,
        KAFKA_PREFIX: prefix,
        HISTORY_TOKENS: `python=${historyToken}`,
        LANES: '4',
      },
    });
    school = (await call(`${system.baseUrl}/api/school`)).body.id;
  }, 300_000);
  afterAll(async () => {
    await running?.kill();
    await system?.stop();
    await python.remove();
    await rm(state, { recursive: true, force: true });
  });

  test('begins after Kafka has dropped the records, and has everything from the owner', async () => {
    await personJoins();
    await untilWritten(1);
    await dropRecords();
    const client = await Client.register(system.baseUrl);
    const { access_token: token } = await client.tokens('owner@lantern.test', system.password, 'members:read');
    const all = (await call(`${system.baseUrl}/api/members?limit=100`, { token })).body.data as unknown[];
    expect(all.length).toBeGreaterThan(3);
    running = begin();
    await knows(all.length);
  }, 240_000);

  test('then knows what Kafka brings, a joining and an erasure; an old record that comes once more changes nothing', async () => {
    const before = members(running.last);
    const person = await personJoins();
    await knows(before + 1);
    const record = (await records()).find(
      (each) => header(each, 'ce_type') === 'MemberJoined' && String(each.value).includes(person),
    )!;
    expect((await operate(`/subjects/${person}/erase`, { school })).status).toBe(200);
    await knows(before);
    await send(record.partition, record.headers!, record.value);
    await personJoins();
    await knows(before + 1);
    // With the old record it would have been one more, or one more at some time.
    await sleep(1_000);
    expect(members(running.last)).toBe(before + 1);
  }, 240_000);

  test('notices by the chain of positions what Kafka lost, and asks the owner for it', async () => {
    const before = members(running.last);
    running.pause();
    const end = await written();
    for (let count = 0; count < 3; count += 1) await personJoins();
    await untilWritten(end + 3);
    await sleep(1_000);
    await dropRecords();
    await personJoins();
    await untilWritten(end + 4);
    running.resume();
    await knows(before + 4);
  }, 240_000);

  test('goes on where it was after it was killed', async () => {
    const before = members(running.last);
    await running.kill();
    await personJoins();
    running = begin();
    await knows(before + 1);
  }, 240_000);

  test('stops at a version that it does not know, and does not go past it', async () => {
    const all = await records();
    const last = all.filter((record) => header(record, 'ce_tenant') === school).at(-1)!;
    const headers = Object.fromEntries(Object.keys(last.headers!).map((name) => [name, header(last, name)]));
    const position = Number(headers['ce_sequence']);
    const next = {
      ...headers,
      ce_type: 'MemberJoined',
      ce_dataschema: 'urn:lyceum:fact:school:MemberJoined:2',
      ce_prev: headers['ce_sequence']!,
      ce_prevcommit: headers['ce_commit']!,
      ce_sequence: String(position + 1).padStart(16, '0'),
      ce_commit: randomUUID(),
      ce_index: '0',
      ce_last: 'true',
    };
    await send(last.partition, next, '{"member":"of another form"}');
    expect(await running.ended).toBe(1);
    expect(running.complaints).toContain('MemberJoined has version 2');
  }, 60_000);

  test('can do nothing else by its token', async () => {
    const shown = (path: string, init: RequestInit = {}, origin = system.baseUrl) =>
      fetch(origin + path, { ...init, headers: { 'x-service-token': historyToken } });
    expect((await shown('/internal/facts/auth/heads')).status).toBe(200);
    for (const path of ['/internal/openapi/school', '/internal/ask/school', '/api/school', '/api/members', '/'])
      for (const method of ['GET', 'POST']) expect((await shown(path, { method })).status).toBe(403);
    expect((await shown('/internal/schools', {}, system.operatorUrl)).status).toBe(401);
    const bearer = { headers: { authorization: `Bearer ${historyToken}` } };
    expect((await fetch(`${system.operatorUrl}/internal/schools`, bearer)).status).toBe(401);
    expect((await fetch(`${system.baseUrl}/api/members`, bearer)).status).toBe(401);
    expect(system.output()).not.toContain(historyToken);
  });
}
