import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { loopbackFetch } from '../http/loopback-fetch.ts';
import { startOptions } from './start-options.ts';
import { StartFailed, patience, root } from './system.ts';

/** How a process is started. */
export interface HowStarted {
  /** The root of a repository that was built: of another release than this one. */
  readonly build?: string;
  /** Options of Node.js; those of a process that lives for seconds when not given. */
  readonly nodeArgs?: readonly string[];
}

/** One service, or one role of it, as a process of its own. It dies with the owner of its folder, if that is a run folder. */
export class ServiceProcess {
  /** For logs and messages, e.g. `auth-relay`. */
  readonly name: string;
  readonly port: number;
  readonly #service: string;
  readonly #folder: string;
  /** Its environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly #how: Required<HowStarted>;
  #child: ChildProcess | undefined;

  constructor(
    name: string,
    service: string,
    folder: string,
    env: Readonly<Record<string, string>>,
    { build = root, nodeArgs = startOptions }: HowStarted = {},
  ) {
    this.name = name;
    this.port = Number(env['PORT']);
    this.#service = service;
    this.#folder = folder;
    this.env = env;
    this.#how = { build, nodeArgs };
  }

  /** Its number while it runs. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Starts the build of the service; does not wait until it is ready. */
  launch(more: Readonly<Record<string, string>> = {}): void {
    const log = openSync(this.#file('log'), 'a');
    const { build, nodeArgs } = this.#how;
    const script = join(build, `services/${this.#service}/dist/main.js`);
    this.#child = spawn(process.execPath, [...nodeArgs, script], {
      env: { PATH: process.env['PATH'], ...this.env, ...more },
      cwd: build,
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    this.#child.unref();
    const { pid } = this.#child;
    if (pid === undefined) return;
    // A dozen services on few cores would starve the servers that all of them wait for, and try again when they are late.
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
    writeFileSync(this.#file('pid'), String(pid));
  }

  /** Resolves when it is ready. Throws `StartFailed` when it ends instead. */
  async ready(within = patience): Promise<void> {
    for (const began = Date.now(); ; await sleep(25)) {
      const child = this.#child;
      if (child && child.exitCode !== null) throw new StartFailed({ code: child.exitCode, output: this.output() });
      if ((await this.status('/readyz')) === 200) return;
      if (Date.now() - began > within) throw new StartFailed({ code: null, output: this.output() });
    }
  }

  /** The status of a GET, or undefined when nobody answers. */
  status(path: string): Promise<number | undefined> {
    return loopbackFetch(`http://127.0.0.1:${this.port}${path}`).then(
      ({ status }) => status,
      () => undefined,
    );
  }

  /** Sends a signal and waits for the end; resolves to the exit code, null after a kill. */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    const child = this.#child;
    this.#child = undefined;
    if (!child) return null;
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.ref();
    child.kill(signal);
    if (child.exitCode === null && child.signalCode === null) await gone;
    rmSync(this.#file('pid'), { force: true });
    return child.exitCode;
  }

  /** Everything on standard output and standard error so far, over all its lives. */
  output(): string {
    return existsSync(this.#file('log')) ? readFileSync(this.#file('log'), 'utf8') : '';
  }

  #file(extension: string): string {
    return join(this.#folder, `${this.name}.${extension}`);
  }
}
