import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, openSync, closeSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BackingServer, type EngineKind, ServerFailed } from '../backing-server.ts';
import { serverFolder } from '../run-folder.ts';

/** One process of a server. */
export interface Program {
  readonly port: number;
  readonly command: string;
  readonly args: readonly string[];
  /** How often a start that ends early is tried again: PostgreSQL waits until every process of a killed one has ended. */
  readonly again?: number;
  /** The signal that ends it at once, like a crash, and lets it leave nothing behind in the machine. */
  readonly quit?: NodeJS.Signals;
}

/** How a server is made of processes of this machine. */
export interface LocalSetup {
  readonly kind: EngineKind;
  readonly title: string;
  readonly usedAs?: 'standalone';
  /** Chooses free ports, writes configuration into the folder. */
  prepare(folder: string): Promise<readonly Program[]>;
  url(programs: readonly Program[]): string;
  /** Whether the program answers its protocol. */
  ping(program: Program): Promise<boolean>;
  /** Runs once, when every program answers: makes one server of them. */
  assemble?(programs: readonly Program[]): Promise<void>;
  /** Whether all is well beyond the single program. */
  whole?(programs: readonly Program[]): Promise<boolean>;
}

/** Milliseconds that a start may take on a busy machine. */
const patience = 90_000;

/**
 * Starts the processes on loopback with their data in a folder of their own, and waits until they answer. They die with
 * the owner. Another process may take a port between its choice and its use: a start that ends early is tried again.
 */
export async function startLocal(setup: LocalSetup, owner = process.pid): Promise<BackingServer> {
  for (let attempt = 1; ; attempt++) {
    const server = await LocalServer.prepare(setup, owner);
    try {
      await server.restart();
      await setup.assemble?.(server.programs);
      await server.wholeness();
      return server;
    } catch (error) {
      await server.stop();
      if (attempt === 3 || !(error instanceof ServerFailed)) throw error;
    }
  }
}

class LocalServer implements BackingServer {
  readonly origin = 'local';
  readonly programs: readonly Program[];
  readonly #setup: LocalSetup;
  readonly #folder: string;
  readonly #children: (ChildProcess | undefined)[] = [];

  static async prepare(setup: LocalSetup, owner: number): Promise<LocalServer> {
    const folder = await serverFolder(owner, setup.kind);
    return new LocalServer(setup, folder, await setup.prepare(folder));
  }

  constructor(setup: LocalSetup, folder: string, programs: readonly Program[]) {
    this.#setup = setup;
    this.#folder = folder;
    this.programs = programs;
  }

  get kind(): EngineKind {
    return this.#setup.kind;
  }

  get title(): string {
    return this.#setup.title;
  }

  get url(): string {
    return this.#setup.url(this.programs);
  }

  get nodes(): number {
    return this.programs.length;
  }

  async restart(node?: number): Promise<void> {
    await this.kill(node);
    await Promise.all(this.#indexes(node).map((index) => this.#launch(index)));
    if (existsSync(join(this.#folder, 'assembled'))) await this.wholeness();
  }

  async kill(node?: number): Promise<void> {
    await Promise.all(this.#indexes(node).map((index) => this.#end(index)));
  }

  async pause(node?: number): Promise<void> {
    for (const index of this.#indexes(node)) this.#children[index]?.kill('SIGSTOP');
  }

  async resume(node?: number): Promise<void> {
    for (const index of this.#indexes(node)) this.#children[index]?.kill('SIGCONT');
  }

  async stop(): Promise<void> {
    await Promise.all(this.programs.map(({ quit }, index) => this.#end(index, quit)));
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Waits until the nodes form one server; from now on a restart waits for that as well. */
  async wholeness(): Promise<void> {
    writeFileSync(join(this.#folder, 'assembled'), '');
    for (const began = Date.now(); !((await this.#setup.whole?.(this.programs)) ?? true); await sleep(25))
      if (Date.now() - began > patience) throw new ServerFailed(`${this.title} did not get whole`);
  }

  #indexes(node?: number): number[] {
    return node === undefined ? [...this.programs.keys()] : [node];
  }

  async #launch(index: number): Promise<void> {
    const program = this.programs[index]!;
    let attempt = this.#spawn(index);
    let again = program.again ?? 0;
    for (const began = Date.now(); !(await this.#setup.ping(program)); await sleep(20)) {
      if (Date.now() - began > patience) attempt.problem ??= 'did not answer';
      if (!attempt.problem) continue;
      if (again === 0) throw new ServerFailed(`${this.title} ${attempt.problem}\n${this.#tail(index)}`);
      again -= 1;
      await sleep(100);
      attempt = this.#spawn(index);
    }
  }

  /** Starts a program; `problem` tells how it ended. */
  #spawn(index: number): { problem?: string } {
    const program = this.programs[index]!;
    const log = openSync(this.#file(index, 'log'), 'a');
    // Output goes to a file: a pipe would tie a shared server to the worker that started it.
    const child = spawn(program.command, program.args, { cwd: this.#folder, stdio: ['ignore', log, log] });
    closeSync(log);
    child.unref();
    this.#children[index] = child;
    const attempt: { problem?: string } = {};
    child.once('error', (error) => (attempt.problem = error.message));
    child.once('exit', (code, signal) => (attempt.problem ??= `ended with ${signal ?? code}`));
    if (child.pid !== undefined) writeFileSync(this.#file(index, 'pid'), String(child.pid));
    return attempt;
  }

  async #end(index: number, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.#children[index];
    this.#children[index] = undefined;
    if (child?.pid === undefined) return;
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.ref();
    // One that was paused hears no other signal.
    if (signal !== 'SIGKILL') child.kill('SIGCONT');
    child.kill(signal);
    if (child.exitCode === null && child.signalCode === null) await gone;
    rmSync(this.#file(index, 'pid'), { force: true });
  }

  #file(index: number, extension: string): string {
    return join(this.#folder, `node-${index}.${extension}`);
  }

  #tail(index: number): string {
    return readFileSync(this.#file(index, 'log'), 'utf8').split('\n').slice(-20).join('\n');
  }
}
