import { afterEach, describe, expect, test } from '@jest/globals';
import { Erased } from '@lyceum/eventlog';
import { type Engine, describeEngines } from '@lyceum/testkit';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { liveDocuments, readModel } from '@lyceum/documents';
import { Fuse } from '../service/crash-point.ts';
import type { ErasingRun } from './erasing-process.ts';
import {
  membersOf,
  nameOf,
  openErasureEngines,
  readerOf,
  school,
  startErasureService,
  streamOf,
  reportedIn,
} from './erasure-service.ts';
import { type Servers, useServers } from '../service/servers.ts';
import { compiledFirst, endOf, fewKills, patience } from './survived.ts';

compiledFirst();

const script = fileURLToPath(new URL('../../dist/kills/erasing-process.js', import.meta.url));

const live = (run: ErasingRun) => endOf(script, JSON.stringify(run));

/** What is wrong with what a folder holds. `version`: the read model that readers get. */
async function faultsIn(folder: string, version: number): Promise<readonly string[]> {
  const engines = await openErasureEngines(folder);
  const { log, vault } = readerOf(engines);
  const faults: string[] = [];
  const told = reportedIn(folder);
  const whom = (word: string) => new Set(told.flatMap(([each, person]) => (each === word ? [person] : [])));
  const [joined, asked, erased, services] = [whom('joined'), whom('asked'), whom('erased'), whom('service')];
  const members = await liveDocuments(engines.documents);
  const commits = [];
  for (let lane = 0; lane < log.lanes; lane += 1) commits.push(...(await log.readLane(lane, 0, 100_000)));
  const events = commits.flatMap((commit) => commit.events);
  for (const person of new Set([...joined, ...asked])) {
    const subject = `account_${person}`;
    const isErased = (await vault.keyStatus(school, subject)) === 'erased';
    const names = events
      .filter(({ stream }) => stream === streamOf(person))
      .map(({ data }) => data as { name: unknown });
    const notes = events.filter(({ stream, type }) => type === 'SubjectErased' && stream === `subject-${subject}`);
    const document = await members.get(membersOf(version), school, streamOf(person));
    const found = JSON.stringify([
      names.map(({ name }) => name),
      notes.length,
      document?.['name'],
      services.has(person),
    ]);
    const wanted = JSON.stringify(
      isErased
        ? [names.map(() => null), 1, undefined, true]
        : [names.map(() => nameOf(person)), 0, nameOf(person), false],
    );
    if (found !== wanted) faults.push(`${person}: ${found}, not ${wanted}`);
    if (erased.has(person) && !isErased) faults.push(`${person} was erased, and is there`);
    if (isErased && !asked.has(person)) faults.push(`${person} was erased by nobody`);
  }
  if ((await vault.unreported()).length > 0) faults.push('somebody is not told of');
  for (const engine of [engines.documents, engines.store, engines.raw]) await engine.close();
  return faults;
}

/** Builds that nobody follows any more stay for a minute, for readers on their way: lets that minute pass. */
async function dropOldBuilds(folder: string, version: number): Promise<void> {
  const { documents, store, raw } = await openErasureEngines(folder);
  const idle = { caughtUp: async () => undefined, close: async () => undefined };
  const projection = { collection: membersOf(version), key: () => undefined, project: () => null };
  const keep = { sameVersion: 0, otherVersion: 0 };
  const model = await readModel({ documents, projection, source: 'people', feed: () => idle, owner: 'test', keep });
  await model.close();
  for (const engine of [documents, store, raw]) await engine.close();
}

/** Names of erased people in the files. */
async function leftIn(folder: string): Promise<readonly string[]> {
  const files = (await readdir(folder)).filter((name) => name !== 'told');
  const bytes = await Promise.all(files.map(async (name) => [name, await readFile(join(folder, name))] as const));
  const erased = reportedIn(folder).flatMap(([word, person]) => (word === 'erased' ? [nameOf(person)] : []));
  return bytes.flatMap(([name, all]) => erased.filter((each) => all.includes(each)).map((each) => `${name}: ${each}`));
}

describe('after every SIGKILL who is erased stays erased, and nobody else is', () => {
  const folders: string[] = [];
  afterEach(async () => {
    for (const each of folders.splice(0)) await rm(each, { recursive: true });
  });
  async function folderWith(servers: Servers = {}): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'lyceum-erasing-'));
    folders.push(folder);
    useServers(folder, servers);
    return folder;
  }

  test(
    'C24: an erasure killed between any two of its steps is completed by the next start, or was never begun',
    async () => {
      const folder = await folderWith();
      for (let kill = 0; kill < fewKills * 2; kill += 1) {
        const passage = 1 + ((kill * 7) % 24);
        expect(await live({ folder, version: 1, projects: true, point: 'C24', passage })).toBe('SIGKILL');
      }
      expect(await live({ folder, version: 1, projects: true })).toBe(0);
      expect(await faultsIn(folder, 1)).toEqual([]);
      expect(await leftIn(folder)).toEqual([]);
      expect(reportedIn(folder).filter(([word]) => word === 'erased').length).toBeGreaterThan(0);
    },
    patience,
  );

  test(
    'C25: killed while a new version of the read model is built, around erasures: no version shows the erased',
    async () => {
      const folder = await folderWith();
      let version = 1;
      for (let kill = 0; kill < fewKills * 2; kill += 1) {
        // A build is gone on with, or overtaken by the next one.
        version = 1 + Math.floor(kill / 2);
        const passage = 1 + ((kill * 5) % 14);
        expect(await live({ folder, version, projects: true, point: 'C25', passage })).toBe('SIGKILL');
      }
      expect(await live({ folder, version: version + 1, projects: true })).toBe(0);
      expect(await faultsIn(folder, version + 1)).toEqual([]);
      await dropOldBuilds(folder, version + 1);
      expect(await leftIn(folder)).toEqual([]);
    },
    patience,
  );
});

for (const kind of ['mongodb', 'mongodb-indexed'] as const)
  await describeEngines(kind, (engine) => {
    test(
      'C26: an erasure asked of a process that dies is followed by another one, which holds keys and read models',
      () => secondProcess(engine),
      patience,
    );
  });

/** This process holds keys and read models; the one that is asked dies in an erasure of each person but the last. */
async function secondProcess(engine: Engine): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'lyceum-erasing-'));
  const { url } = await engine.shared();
  const prefix = `erase_${randomUUID().slice(0, 8)}_`;
  useServers(folder, { mongodb: { url, prefix, ...(engine.usedAs && { usedAs: engine.usedAs }) } });
  const here = await startErasureService(folder, new Fuse(), { version: 1, projects: true });
  const kills = fewKills * 2;
  const people = Array.from({ length: kills + 1 }, () => randomUUID());
  for (const person of people) {
    await here.join(person, randomUUID());
    here.tell('joined', person);
  }
  for (let kill = 0; kill < kills; kill += 1) {
    const erase = [people[kill]!];
    const passage = 1 + ((kill * 5) % 15);
    expect(await live({ folder, version: 1, projects: false, point: 'C26', passage, erase })).toBe('SIGKILL');
  }
  expect(await live({ folder, version: 1, projects: false, erase: people.slice(0, kills) })).toBe(0);
  const shown = async () => {
    const commits = [];
    for (let lane = 0; lane < here.log.lanes; lane += 1) commits.push(...(await here.log.readLane(lane, 0, 1_000)));
    const documents = (await here.live.query(membersOf(1), school, { limit: 100 })).items.map(({ body }) => body);
    return JSON.stringify([commits, documents]);
  };
  for (const end = Date.now() + 5_000; Date.now() < end; await pause(50)) {
    const text = await shown();
    if (people.slice(0, kills).every((person) => !text.includes(nameOf(person)))) break;
  }
  const text = await shown();
  expect(people.filter((person) => text.includes(nameOf(person)))).toEqual(people.slice(kills));
  for (const person of people.slice(0, kills)) await expect(here.join(person, randomUUID())).rejects.toThrow(Erased);
  await here.close();
  expect(await faultsIn(folder, 1)).toEqual([]);
  await rm(folder, { recursive: true });
}
