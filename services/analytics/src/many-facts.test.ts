import { expect, test } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Channel, type Message, memoryChannel } from '@lyceum/channel';
import { sqliteDocuments } from '@lyceum/documents';
import { type Analytics, type ToldFact, enrollment, startAnalytics } from './testing.ts';

/** How many facts: `FACTS=1000000 npm test -- services/analytics/src/many-facts` measures, on a machine that does nothing else. */
const facts = Number(process.env['FACTS'] ?? 20_000);

/** Facts of a learner at a time, and learners: few facts of many, as the worst that a school is. */
const [sitting, learners, days] = [5, Math.max(100, facts / 50), 365];

const beginning = Date.parse('2026-01-01T00:00:00.000Z');

/** Numbers that are the same at each run. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A year of a school, in the order of time: somebody sits down, begins a lesson, completes others, tries a quiz. */
function* year(): Iterable<ToldFact> {
  const pick = random(7);
  const steps = new Map<number, number>();
  for (let count = 0; count < facts; count += sitting) {
    const at = new Date(beginning + Math.floor((count / facts) * days * 86_400_000)).toISOString();
    const who = pick(learners);
    const own = enrollment(String(who), who % 40);
    const step = steps.get(who) ?? 0;
    steps.set(who, step + 1);
    yield step === 0 ? own.activated(at) : own.attempted(at);
    yield own.started(at, `lesson_${step}`);
    yield own.learnt(at, Math.min(99, 10 * step), `lesson_${step}`);
    yield own.started(at, `lesson_${step}b`);
    yield step === 9 ? own.completed(at) : own.learnt(at, Math.min(99, 10 * step + 5), `lesson_${step}b`);
  }
}

/** What the learning service has published, each fact in a commit of its own. */
function history(): readonly Message[] {
  const messages: Message[] = [];
  for (const { source, type, at, data } of year()) {
    const position = messages.length + 1;
    const told = [{ id: `f${position}`, type, schema: 1, subject: 's', version: position, data }];
    messages.push({ source, lane: 0, position, previous: position - 1, tenant: 'school_1', at, facts: told });
  }
  return messages;
}

function channelOf(messages: readonly Message[]): Channel {
  const channel = memoryChannel();
  for (const source of ['school', 'catalog', 'commerce', 'content']) channel.offer(source, 1, async () => []);
  channel.offer('learning', 1, async (_lane, after, limit) => messages.slice(after, after + limit));
  return channel;
}

test('a million facts are built anew in at most a minute', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lyceum-facts-'));
  const channel = channelOf(history());
  const documents = await sqliteDocuments({ file: join(folder, 'documents.db') });
  let service: Analytics | undefined;
  try {
    const began = performance.now();
    const used = process.cpuUsage();
    service = await startAnalytics({ ports: { channel, documents }, now: '2026-12-31T12:00:00.000Z' });
    const seconds = (performance.now() - began) / 1_000;
    const { user, system } = process.cpuUsage(used);
    process.stdout.write(
      `${facts} facts in ${seconds.toFixed(1)} s, ${((user + system) / 1e6).toFixed(1)} s of processors\n`,
    );
    const [all] = await service.rows('enrollments?from=2026-01-01&to=2026-12-31&interval=month');
    expect(all.enrolled).toBeGreaterThan(0);
    const asked = performance.now();
    expect(await service.rows('active_students?from=2025-12-01&to=2026-12-31')).toHaveLength(395);
    process.stdout.write(`395 days in ${(performance.now() - asked).toFixed(1)} ms\n`);
    // A test beside others takes longer; what a fact costs must not grow with their number.
    if (facts >= 1_000_000) expect(seconds).toBeLessThanOrEqual(60);
  } finally {
    await service?.close();
    await documents.close();
    await channel.close();
    await rm(folder, { recursive: true });
  }
}, 1_200_000);
