import { addressSetting } from '@lyceum/contracts';
import { keysOf } from '@lyceum/kernel';
import {
  type Place,
  type ReadyProxy,
  ServiceProcess,
  type SplitEngines,
  type SplitSystem,
  freePort,
  prepareSplit,
  readyProxy,
  until,
} from '@lyceum/testkit';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { readsAll } from './novelties/novel-sign.ts';

/** A release of the two that run beside each other. */
export type ReleaseName = 'old' | 'new';

/** The process of a service that answers requests, by the name that the test kit gives it. */
const services = {
  gateway: 'gateway',
  'auth-http': 'auth',
  school: 'school',
  catalog: 'catalog',
  learning: 'learning',
  media: 'media',
  commerce: 'commerce',
  content: 'content',
} as const;
export type Part = keyof typeof services;
export const parts: readonly Part[] = keysOf(services);
const both: readonly ReleaseName[] = ['old', 'new'];

/** Milliseconds that a start may take while everything else runs too, on a machine with other work. */
const patience = 300_000;

/** Makes a process one that knows an event which no other release knows. */
const novelRelease = pathToFileURL(join(import.meta.dirname, 'novelties/novel-release.js')).href;

/**
 * One installation on one set of engines, whose services run in processes of two releases. In front of each service stands
 * one address, as in a cluster: every connection goes to one of its processes that are ready, of whichever release. While
 * none is, it goes to any: cf2210f asks its neighbours for facts before it is ready.
 */
export class MixedSystem {
  readonly #system: SplitSystem;
  readonly #processes = new Map<ReleaseName, Map<Part, ServiceProcess>>();
  readonly #fronts: ReadonlyMap<Part, ReadyProxy>;
  readonly #running = new Set<ReleaseName>();
  readonly #answering: Set<ReleaseName>;
  /** Whether single services change their release, so that whatever runs is behind the addresses. */
  readonly #isOneByOne: boolean;
  /** Environment of the new release's processes, beside their own. */
  #more: Readonly<Record<string, string>> = {};

  private constructor(
    system: SplitSystem,
    fronts: ReadonlyMap<Part, ReadyProxy>,
    answering: Set<ReleaseName>,
    isOneByOne: boolean,
  ) {
    this.#system = system;
    this.#fronts = fronts;
    this.#answering = answering;
    this.#isOneByOne = isOneByOne;
  }

  /** Nothing runs yet. `oldBuild` is the root of the release of before; `oneByOne`: single services change their release. */
  static async prepare(engines: SplitEngines, oldBuild: string, { oneByOne = false } = {}): Promise<MixedSystem> {
    const answering = new Set(both);
    const built: { system?: MixedSystem } = {};
    const targets = (part: Part) =>
      both.filter((each) => answering.has(each)).map((each) => built.system?.of(each, part));
    const fronts = new Map<Part, ReadyProxy>();
    for (const part of parts) fronts.set(part, await readyProxy(() => targets(part), { orAny: !oneByOne }));
    const urlOf = (part: Part) => `http://127.0.0.1:${fronts.get(part)!.port}`;
    const found = parts
      .filter((part) => part !== 'gateway')
      .map((part) => [addressSetting(services[part]), urlOf(part)]);
    // On a busy machine it takes a front a while to see that a process ends.
    const drain = oneByOne ? { DRAIN_MS: '5000' } : {};
    const env = { ...Object.fromEntries(found), ...drain, BASE_URL: urlOf('gateway') };
    const system = await prepareSplit({ engines, env, wholeServices: true });
    built.system = new MixedSystem(system, fronts, answering, oneByOne);
    await built.system.#define(oldBuild);
    return built.system;
  }

  /** Where clients find it. */
  get place(): Omit<Place, 'operatorUrl' | 'salesOperatorUrl'> {
    const port = this.#fronts.get('gateway')!.port;
    const { operatorToken, password, dataDir } = this.#system;
    const baseUrl = `http://127.0.0.1:${port}`;
    return { baseUrl, northQuayUrl: `http://northquay.localhost:${port}`, operatorToken, password, port, dataDir };
  }

  get running(): readonly ReleaseName[] {
    return both.filter((each) => this.#running.has(each));
  }

  of(release: ReleaseName, part: Part): ServiceProcess | undefined {
    const process = this.#processes.get(release)?.get(part);
    return process?.pid === undefined ? undefined : process;
  }

  /** The operator listeners of the services that keep a log, of what runs. */
  get operators(): readonly { readonly name: string; readonly url: string }[] {
    return both.flatMap((release) =>
      [...this.#processes.get(release)!.values()]
        .filter(({ name, pid }) => pid !== undefined && !name.endsWith('gateway'))
        .map(({ name, env }) => ({ name, url: `http://127.0.0.1:${env['OPERATOR_PORT']}` })),
    );
  }

  /** Where the services keep their logs. */
  get mongodb(): { readonly url: string; readonly prefix: string } {
    return { url: this.#system.env['MONGODB_URL']!, prefix: this.#system.env['MONGODB_PREFIX']! };
  }

  /** The operator listener of a release's school service, or of the one there is. */
  schoolOperator(release: ReleaseName): string {
    const school = [release, ...both].map((each) => this.of(each, 'school')).find((each) => each !== undefined)!;
    return `http://127.0.0.1:${school.env['OPERATOR_PORT']}`;
  }

  /** Whether a process of the release of before runs. */
  get hasOld(): boolean {
    return parts.some((part) => this.of('old', part) !== undefined);
  }

  /** Whether a release has a service. */
  has(release: ReleaseName, part: Part): boolean {
    return this.#processes.get(release)!.has(part);
  }

  /** Starts every service of a release beside what runs. */
  async join(release: ReleaseName): Promise<void> {
    const all = [...this.#processes.get(release)!.values()];
    for (const each of all) each.launch(release === 'new' ? this.#more : {});
    await Promise.all(all.map((each) => each.ready(patience)));
    this.#running.add(release);
  }

  /** Starts one service of a release. Resolves when it is asked: the one that it replaces may end then. */
  async begin(release: ReleaseName, part: Part): Promise<void> {
    const process = this.#processes.get(release)!.get(part)!;
    process.launch();
    await process.ready(patience);
    await until(() => this.#fronts.get(part)!.leadsTo(process));
  }

  /** Ends one service of a release, as a rolling update does. Resolves to its exit code. */
  end(release: ReleaseName, part: Part): Promise<number | null> {
    return this.#processes.get(release)!.get(part)!.end('SIGTERM');
  }

  /** Ends every service of a release, as a rolling update does. Resolves to their exit codes. */
  async leave(release: ReleaseName): Promise<readonly (number | null)[]> {
    this.#running.delete(release);
    const running = [...this.#processes.get(release)!.values()].filter(({ pid }) => pid !== undefined);
    return Promise.all(running.map((each) => each.end('SIGTERM')));
  }

  /** The new release's school service is replaced by a better one, which can tell of every sign. */
  async restartReading(): Promise<void> {
    this.#more = { [readsAll]: '1' };
    const school = this.#processes.get('new')!.get('school')!;
    await school.end('SIGTERM');
    school.launch(this.#more);
    await school.ready(patience);
  }

  /** Ends the old release's school service; with `again` it is started once more. Its other services go on. */
  async endOldSchool({ again = false } = {}): Promise<ServiceProcess> {
    const school = this.#processes.get('old')!.get('school')!;
    await school.end('SIGTERM');
    if (again) school.launch();
    return school;
  }

  /** From now on only these releases are behind the addresses; whatever runs, where single services change their release. */
  async answerFrom(...releases: readonly ReleaseName[]): Promise<void> {
    if (this.#isOneByOne) return;
    this.#answering.clear();
    for (const each of releases) this.#answering.add(each);
    for (const front of this.#fronts.values()) front.cut();
    await sleep(300);
  }

  /** All that was logged by all processes. */
  output(): string {
    return [...this.#processes.values()]
      .flatMap((each) => [...each.values()])
      .map((each) => each.output())
      .join('');
  }

  /** Ends everything. */
  async stop(): Promise<void> {
    for (const each of both) await this.leave(each);
    for (const front of this.#fronts.values()) await front.close();
    await this.#system.stop();
  }

  async #define(oldBuild: string): Promise<void> {
    const folder = dirname(this.#system.env['DATA_DIR']!);
    for (const release of both) {
      const all = new Map<Part, ServiceProcess>();
      for (const part of parts) {
        // Releases up to dfa5fc1 have no learning, those up to 2e04fca a media service that publishes nothing, those up to
        // c433d7e no commerce, and those up to 6ed3d429 no content. Analytics publishes nothing, so it is not among the parts.
        if (release === 'old' && !isThere(oldBuild, services[part])) continue;
        const ports = { PORT: String(await freePort()), OPERATOR_PORT: String(await freePort()) };
        const isNovel = release === 'new' && part === 'school' && !this.#isOneByOne;
        const env = { ...this.#system.env, ...ports, ...(isNovel ? { NODE_OPTIONS: `--import=${novelRelease}` } : {}) };
        const how = release === 'old' ? { build: oldBuild } : {};
        all.set(part, new ServiceProcess(`${release}-${part}`, services[part], folder, env, how));
      }
      this.#processes.set(release, all);
    }
  }
}

/** Whether a release has a service that publishes something, so that it has a relay. */
const isThere = (build: string, service: string): boolean =>
  existsSync(join(build, 'services', service)) &&
  (service === 'gateway' || existsSync(join(build, 'libs/contracts/src/integration-events', `${service}.ts`)));
