import { call, freePort } from '@lyceum/testkit';
import { spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { docs, root } from './page.ts';

/** What a shell has done. */
export interface Ran {
  readonly status: number | null;
  /** Standard output. */
  readonly printed: string;
  /** Standard error. */
  readonly told: string;
}

/** What only root may do, and systemd: a start and a stop of the unit that the page has written. */
const stubs: Readonly<Record<string, string>> = {
  useradd: 'exit 0',
  chown: 'exit 0',
  setpriv: 'while [ "${1#--}" != "$1" ]; do shift; done; exec "$@"',
  systemctl: `unit() { sed -n "s/^$1=//p" "$UNITS/lyceum.service"; }
case "$1" in
start | enable)
  set -a; . "$(unit EnvironmentFile)"; set +a
  $(unit ExecStart) >> "$UNITS/log" 2>&1 & echo $! > "$UNITS/pid" ;;
stop)
  [ -e "$UNITS/pid" ] || exit 0
  kill "$(cat "$UNITS/pid")"
  while kill -0 "$(cat "$UNITS/pid")" 2> "$UNITS/gone"; do sleep 0.1; done
  rm "$UNITS/pid" ;;
esac`,
};

/** The folders and ports of docs/operations.md, as variables of its commands. */
async function variablesIn(folder: string): Promise<Record<string, string>> {
  const ports = ['PORT', 'OPERATOR_PORT', 'DRILL_PORT', 'DRILL_OPERATOR_PORT'];
  return {
    PATH: `${join(folder, 'stubs')}:${process.env['PATH']}`,
    LYCEUM: join(folder, 'releases', 'current'),
    RELEASES: join(folder, 'releases'),
    ETC: join(folder, 'etc'),
    STATE: join(folder, 'state'),
    BACKUPS: join(folder, 'backups'),
    UNITS: join(folder, 'units'),
    BIN: join(folder, 'bin'),
    TMPDIR: tmpdir(),
    ...Object.fromEntries(await Promise.all(ports.map(async (name) => [name, String(await freePort())] as const))),
  };
}

/** An empty machine in a folder, on which commands of the documentation are run as they stand. */
export class Installation {
  readonly folder: string;
  /** The variables of the commands. */
  readonly env: Readonly<Record<string, string>>;

  private constructor(folder: string, env: Readonly<Record<string, string>>) {
    this.folder = folder;
    this.env = env;
  }

  static async prepare(): Promise<Installation> {
    const folder = await mkdtemp(join(tmpdir(), 'lyceum-installation-'));
    for (const each of ['stubs', 'releases', 'units']) await mkdir(join(folder, each));
    for (const [name, script] of Object.entries(stubs)) {
      await writeFile(join(folder, 'stubs', name), `#!/bin/sh\n${script}\n`);
      await chmod(join(folder, 'stubs', name), 0o755);
    }
    for (const release of ['current', 'next']) await symlink(root, join(folder, 'releases', release));
    return new Installation(folder, await variablesIn(folder));
  }

  /** The first night of docs/operations.md, up to the unit; the settings can be changed before anything starts. */
  static async installed(change: (settings: string) => string = (settings) => settings): Promise<Installation> {
    const made = await Installation.prepare();
    const night = (await docs('operations')).blocksOf('The first night');
    const until = night.findIndex((block) => block.includes('systemctl'));
    const { status, told } = await made.run(night.slice(0, until).join('\n'));
    if (status !== 0) throw new Error(`the first night of docs/operations.md ended with ${status}: ${told}`);
    const file = join(made.env['ETC']!, 'lyceum.env');
    await writeFile(file, `${change(await readFile(file, 'utf8'))}DRAIN_MS=300\nRATE_LIMIT_FACTOR=1000\n`);
    return made.#commanding();
  }

  /** A machine with the two commands of the first night, for processes that somebody else has started by these settings. */
  static async beside(settings: Readonly<Record<string, string>>): Promise<Installation> {
    const made = await Installation.prepare();
    const lines = Object.entries(settings).map(([name, value]) => `${name}='${value}'\n`);
    await mkdir(made.env['ETC']!);
    await writeFile(join(made.env['ETC']!, 'lyceum.env'), lines.join(''));
    const night = (await docs('operations')).blocksOf('The first night');
    const { status, told } = await made.run(`mkdir "$BIN"\n${night.find((block) => block.includes('"$BIN/lyceum"'))}`);
    if (status !== 0) throw new Error(`the two commands of docs/operations.md cannot be made: ${told}`);
    return made.#commanding();
  }

  /** The same machine in a shell that finds the two commands. */
  #commanding(): Installation {
    return new Installation(this.folder, { ...this.env, PATH: `${this.env['BIN']}:${this.env['PATH']}` });
  }

  /** Runs a script in one shell, which ends at the first command that fails. */
  run(script: string, more: Readonly<Record<string, string>> = {}): Promise<Ran> {
    const shell = spawn('bash', ['-euo', 'pipefail', '-c', script], {
      env: { ...this.env, ...more },
      cwd: this.folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [printed, told] = ['', ''];
    shell.stdout.setEncoding('utf8').on('data', (text: string) => void (printed += text));
    shell.stderr.setEncoding('utf8').on('data', (text: string) => void (told += text));
    return new Promise((resolve) => shell.on('exit', (status) => resolve({ status, printed, told })));
  }

  /** Starts the service, and waits until it is ready. */
  async start(): Promise<void> {
    const ready = `curl -fsS --retry 120 --retry-delay 1 --retry-all-errors "http://127.0.0.1:$PORT/readyz"`;
    const { status, told } = await this.run(`systemctl start lyceum\n${ready}`);
    if (status !== 0) throw new Error(`the service does not start: ${told}\n${await this.log()}`);
  }

  async stop(): Promise<void> {
    await this.run('systemctl stop lyceum');
  }

  /** Where its operator listener is, with the token of its settings. */
  async operator(): Promise<{ readonly operatorUrl: string; readonly operatorToken: string }> {
    const settings = await readFile(join(this.env['ETC']!, 'lyceum.env'), 'utf8');
    return {
      operatorUrl: `http://127.0.0.1:${this.env['OPERATOR_PORT']}`,
      operatorToken: /^OPERATOR_TOKEN=(.*)$/m.exec(settings)![1]!,
    };
  }

  /** The rows of a list of its operator. */
  async rows<Row>(path: string): Promise<readonly Row[]> {
    const { operatorUrl, operatorToken: token } = await this.operator();
    return (await call(`${operatorUrl}/internal/${path}`, { token })).body.data;
  }

  /** Everything that its process has logged. */
  log(): Promise<string> {
    return readFile(join(this.env['UNITS']!, 'log'), 'utf8');
  }

  /** Ends what runs, and removes the machine. */
  async remove(): Promise<void> {
    const pid = Number(await readFile(join(this.env['UNITS']!, 'pid'), 'utf8').catch(() => ''));
    if (pid > 0) await this.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}
