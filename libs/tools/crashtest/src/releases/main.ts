import { type SplitEngines, engines, urlsOf } from '@lyceum/testkit';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { inTurns } from './data-folder.ts';
import { checkMail, compare, settle } from './inspection.ts';
import { MixedSystem, type Part, type ReleaseName, parts } from './mixed-system.ts';
import { novelSign } from './novelties/novel-sign.ts';
import { Novelties } from './novelties/novelties.ts';
import { oneByOne, partOf } from './one-service.ts';
import { buildOf, lastRelease, leavesWhoStands, standsBeforeUnknown } from './release-build.ts';
import { Report } from './report.ts';
import { Traffic } from './traffic.ts';

/**
 * The release of before and the present one on one installation, after a build: `node libs/tools/crashtest/dist/releases/main.js
 * [revision] [--service [name]]`. With `--service` one service alone changes its release, or each in turn (`one-service.ts`).
 * `RELEASE_BUILD` is the root of a build of the revision that is there already; `RELEASE_FIRST=new` begins with the present
 * release. Each stage is a round of traffic, with writes all the time while processes come and go; after it
 * nothing may be left over, and each release tells everything that was acknowledged. Exits with 1 when something was lost.
 */
const report = new Report();
const first: ReleaseName = process.env['RELEASE_FIRST'] === 'new' ? 'new' : 'old';
const second: ReleaseName = first === 'new' ? 'old' : 'new';
const given = process.env['RELEASE_BUILD'];
const { revision = await lastRelease(), chosen } = asked(process.argv.slice(2));
report.stage(given ? `with the build of ${given}` : `building ${revision}`);
const build = given ? { folder: given, remove: () => Promise.resolve() } : await buildOf(revision);
const servers = await Promise.all((await engines()).map((engine) => engine.start()));
let system: MixedSystem | undefined;
try {
  const engineUrls = urlsOf(servers);
  if (chosen) await oneByOne(chosen, { engines: engineUrls, build: build.folder }, report, follow);
  else await wholeReleases(engineUrls);
} catch (error) {
  report.fault(error instanceof Error ? (error.stack ?? error.message) : String(error));
} finally {
  await keepLogs();
  await system?.stop();
  await Promise.all(servers.map((server) => server.stop()));
  await build.remove();
}
for (const [what, times] of report.counts) report.say(`borne by clients, ${times} times: ${what}`);
for (const fault of report.faults) report.say(`FAULT ${fault}`);
report.say(report.faults.length === 0 ? 'nothing was skipped, parked or lost' : `${report.faults.length} faults`);
process.exit(report.faults.length === 0 ? 0 : 1);

/** What the command line asks for: a revision, and one service or, without a name, each of them. */
function asked(args: string[]): { readonly revision?: string; readonly chosen?: readonly Part[] } {
  const options = { service: { type: 'string' } } as const;
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true, strict: false });
  const { service } = values;
  const part = typeof service === 'string' ? partOf(service) : undefined;
  if (typeof service === 'string' && !part) throw new Error(`there is no service ${service}: ${parts.join(', ')}`);
  return {
    ...(positionals[0] === undefined ? {} : { revision: positionals[0] }),
    ...(service === undefined ? {} : { chosen: part ? [part] : parts }),
  };
}

/** Another system runs from now on; the logs of the one before stay when there is something to look for. */
async function follow(next: MixedSystem | undefined): Promise<void> {
  await keepLogs();
  system = next;
}

async function wholeReleases(engineUrls: SplitEngines): Promise<void> {
  if (first === 'old') await inTurns(build.folder, report, await standsBeforeUnknown(build.folder));
  system = await MixedSystem.prepare(engineUrls, build.folder);
  await run(system, await standsBeforeUnknown(build.folder));
}

async function run(running: MixedSystem, stands: boolean): Promise<void> {
  report.stage(`${first} alone`);
  await running.join(first);
  const traffic = await Traffic.begin(running, report);
  const change = (name: string, work: () => Promise<unknown>) => stage(running, traffic, name, work);
  await change(`${first} alone`, () => Promise.resolve());
  await change(`${second} beside ${first}`, () => running.join(second));
  await change(`${second} after ${first} left`, () => left(running, first));
  await change(`${first} back beside ${second}`, () => running.join(first));
  await change(`${first} after ${second} left`, () => left(running, second));
  await change(`${second} again beside ${first}`, () => running.join(second));
  const novelties = await Novelties.open(running, report);
  const told = (name: string, work: () => Promise<unknown>) => change(name, work).then(() => novelties.arrived());
  if (stands) {
    await told('an event that the old release does not know', () => novelties.hang());
    const school = await novelties.withhold(['new', 'old']);
    await told('a better release beside the old one', () => novelties.resume(school));
    await left(running, 'new');
    await novelties.standBefore();
    await told('new back beside an old release that stands', () => backBeside(running));
    await novelties.refusesToServe();
  } else {
    report.say('  the old release passes over events that it does not know: its school service has to go first');
    await running.endOldSchool();
    const school = await novelties.withhold(['new']);
    await told('a better release beside the old one', () => novelties.resume(school));
  }
  await told('new for good', () => left(running, 'old'));
  checkMail(running, report);
  await checkKnown(novelties);
  await novelties.close();
  report.say(`${traffic.courses.size} courses, ${traffic.guests.length} guests`);
}

/** Something comes or goes while courses are written; then a round of everything, rest, and a look at what is there. */
async function stage(
  running: MixedSystem,
  traffic: Traffic,
  name: string,
  work: () => Promise<unknown>,
): Promise<void> {
  report.stage(name);
  const end = new AbortController();
  const writing = traffic.writeUntil(end.signal);
  await work();
  await traffic.round(name);
  end.abort();
  await writing;
  await settle(running, report);
  await compare(running, traffic, report);
}

/** What the new release writes, and none before it, occurred at all. */
async function checkKnown(novelties: Novelties): Promise<void> {
  const written = {
    RefreshRetried: 'auth',
    InvitationSent: 'school',
    FactsRetold: 'school',
    [novelSign.type]: 'school',
  };
  for (const [type, service] of Object.entries(written)) {
    const times = await novelties.counted(service, type);
    report.say(`${times} times ${type} in the log of ${service}`);
    if (times === 0) report.fault(`no ${type} in the log of ${service}`);
  }
}

/** The new release joins while the old one stands. */
async function backBeside(running: MixedSystem): Promise<void> {
  await running.join('new');
  if (await leavesWhoStands(build.folder)) return;
  report.say(
    '  the old release stays connected to a school service that stands: until all has arrived, only new answers',
  );
  await running.answerFrom('new');
}

async function left(running: MixedSystem, release: ReleaseName): Promise<void> {
  const codes = await running.leave(release);
  if (codes.some((code) => code !== 0)) report.fault(`processes of ${release} ended with ${codes.join(', ')}`);
}

/** The logs of all processes stay when there is something to look for. */
async function keepLogs(): Promise<void> {
  if (report.faults.length === 0 || !system) return;
  const file = join(await mkdtemp(join(tmpdir(), 'lyceum-releases-')), 'all.log');
  await writeFile(file, system.output());
  report.say(`the logs are in ${file}`);
}
