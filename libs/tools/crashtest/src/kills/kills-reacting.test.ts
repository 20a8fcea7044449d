import { afterEach, describe, expect, test } from '@jest/globals';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RecordedEvent } from '@lyceum/kernel';
import { oneFile } from '../history/one-file.ts';
import type { CrashPoint } from '../service/crash-point.ts';
import { openReactionEngines, outsideOf } from './reaction-service.ts';
import { compiledFirst, endOf } from './survived.ts';

compiledFirst();

/** A quarter of the kills that the failure table gets at each point: each run here passes hundreds of points. */
const kills = Math.ceil(Number(process.env['CRASH_KILLS'] ?? 20) / 4);
const compiled = fileURLToPath(new URL('../../dist/kills/reacting-process.js', import.meta.url));
const patience = 60_000 + kills * 4_000;

interface Left {
  readonly events: readonly (RecordedEvent & { readonly tenant: string })[];
  /** What the outside was told, in order. */
  readonly outside: readonly string[];
}

describe('after every SIGKILL what follows from events has happened', () => {
  const folders: string[] = [];
  afterEach(async () => {
    for (const each of folders.splice(0)) await rm(each, { recursive: true });
  });

  /** Runs that end at the point, and one that ends in peace. */
  async function survive(point: CrashPoint, passages: number): Promise<Left> {
    const script = oneFile(compiled);
    const folder = await mkdtemp(join(tmpdir(), 'lyceum-reacting-'));
    folders.push(folder);
    for (let run = 0; run < kills; run += 1)
      expect(await endOf(script, folder, point, String(1 + ((run * 37) % passages)))).toBe('SIGKILL');
    expect(await endOf(script, folder)).toBe(0);
    const { log, documents } = await openReactionEngines(folder);
    const events: (RecordedEvent & { tenant: string })[] = [];
    for (let lane = 0; lane < log.lanes; lane += 1)
      for (const { tenant, events: own } of await log.readLane(lane, 0, 100_000))
        events.push(...own.map((event) => ({ ...event, tenant })));
    await documents.close();
    await log.close();
    return { events, outside: (await readFile(outsideOf(folder), 'utf8')).split('\n').slice(0, -1) };
  }

  test(
    'C18: a process manager killed before or after any of its writes has carried out each command once in effect',
    async () => {
      const { events } = await survive('C18', 400);
      const asked = events.filter(({ type }) => type === 'Asked');
      const of = (type: string) =>
        events
          .filter((event) => event.type === type)
          .map(({ tenant, stream }) => `${tenant} ${stream}`)
          .sort();
      const expected = (prefix: string) =>
        asked.map(({ tenant, stream, version }) => `${tenant} ${prefix}${stream}-${version}`).sort();
      expect(asked.length).toBeGreaterThan(kills);
      expect(of('Answered')).toEqual(expected('answer-'));
      for (const type of ['InputTaken', 'CommandRejected', 'Noted', 'TimerSet', 'TimerFired'])
        expect(of(type)).toEqual(expected('process/answering/'));
    },
    patience,
  );

  test(
    'C19: a reaction killed around its effect leaves nothing out, and keeps the order of each stream',
    async () => {
      const { events, outside } = await survive('C19', 120);
      const asked = events.filter(({ type }) => type === 'Asked');
      const lineOf = ({ tenant, stream, data }: (typeof asked)[number]) => `${tenant} ${stream} ${String(data)}`;
      const streamOf = (line: string) => line.split(' ').slice(0, 2).join(' ');
      const first = [...new Set(outside)];
      for (const stream of new Set(first.map(streamOf)))
        expect(first.filter((line) => streamOf(line) === stream)).toEqual(
          asked.map(lineOf).filter((line) => streamOf(line) === stream),
        );
      expect(first).toHaveLength(asked.length);
      expect(outside.length).toBeGreaterThan(first.length);
    },
    patience,
  );
});
