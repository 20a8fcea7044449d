import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** An environment of Python with the packages of a file, in a temporary folder. */
interface PythonEnvironment {
  /** Starts a program. */
  start(program: string, env: Readonly<Record<string, string>>): PythonProgram;
  remove(): Promise<void>;
}

/**
 * Makes an environment; packages come from where pip of this machine takes them. Where it cannot be made it is the reason
 * instead, which is thrown when `REQUIRE_BACKING_SERVICES=1`.
 */
export async function pythonEnvironment(requirements: string): Promise<PythonEnvironment | string> {
  const folder = await mkdtemp(join(tmpdir(), 'lyceum-python-'));
  const python = join(folder, 'bin', 'python');
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    await run('python3', ['-m', 'venv', folder]);
    await run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', requirements]);
  } catch (error) {
    await remove();
    const reason = `no python3 with venv, pip and the packages of ${requirements}: ${String(error)}`;
    if (process.env['REQUIRE_BACKING_SERVICES'] === '1') throw new Error(reason, { cause: error });
    return reason;
  }
  return {
    start: (program, env) => new PythonProgram(python, program, { PATH: process.env['PATH'] ?? '', ...env }),
    remove,
  };
}

/** A program that runs, and what it has printed. */
export class PythonProgram {
  readonly #child: ReturnType<typeof spawn>;
  readonly #ended: Promise<number | null>;
  #printed = '';
  #complaints = '';

  constructor(python: string, program: string, env: Readonly<Record<string, string>>) {
    if (!existsSync(program)) throw new Error(`there is no ${program}`);
    this.#child = spawn(python, ['-u', program], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child.stdout!.setEncoding('utf8').on('data', (part: string) => void (this.#printed += part));
    this.#child.stderr!.setEncoding('utf8').on('data', (part: string) => void (this.#complaints += part));
    this.#ended = new Promise((resolve) => this.#child.once('close', (code) => resolve(code)));
  }

  /** The last whole line of JSON that it has printed. */
  get last(): unknown {
    const line = this.#printed.split('\n').at(-2);
    return line === undefined ? undefined : JSON.parse(line);
  }

  /** What it has written to standard error. */
  get complaints(): string {
    return this.#complaints;
  }

  /** Stands still, and goes on. */
  pause(): void {
    this.#child.kill('SIGSTOP');
  }

  resume(): void {
    this.#child.kill('SIGCONT');
  }

  /** Waits until its last line is such a one. */
  async until(holds: (last: unknown) => boolean, seconds = 60): Promise<void> {
    for (const end = Date.now() + seconds * 1_000; !holds(this.last); await sleep(50)) {
      if (this.#child.exitCode !== null || Date.now() > end)
        throw new Error(`it printed ${JSON.stringify(this.last)} last:\n${this.#complaints}`);
    }
  }

  /** SIGKILL. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }

  /** Its exit code, once it ends by itself. */
  get ended(): Promise<number | null> {
    return this.#ended;
  }
}
