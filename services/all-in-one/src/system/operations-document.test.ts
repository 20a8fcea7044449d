import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { freePort } from '@lyceum/testkit';
import { spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// The whole page is run, with four starts of real processes.
jest.setTimeout(120_000);

/** What only root may do, and systemd: a start and a stop of the unit that the page has written. */
const stubs: Readonly<Record<string, string>> = {
  useradd: 'exit 0',
  chown: 'exit 0',
  setpriv: 'while [ "${1#--}" != "$1" ]; do shift; done; exec "$@"',
  systemctl: `unit() { sed -n "s/^$1=//p" "$UNITS/lyceum.service"; }
case "$1" in
start | enable)
  set -a; . "$(unit EnvironmentFile)"; set +a
  $(unit ExecStart) > "$UNITS/log" 2>&1 & echo $! > "$UNITS/pid" ;;
stop)
  kill "$(cat "$UNITS/pid")"
  while kill -0 "$(cat "$UNITS/pid")" 2> "$UNITS/gone"; do sleep 0.1; done ;;
esac`,
};

let folder: string;
let env: Record<string, string>;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lyceum-operations-'));
  for (const each of ['stubs', 'releases', 'units']) await mkdir(join(folder, each));
  for (const [name, script] of Object.entries(stubs)) {
    await writeFile(join(folder, 'stubs', name), `#!/bin/sh\n${script}\n`);
    await chmod(join(folder, 'stubs', name), 0o755);
  }
  for (const release of ['current', 'next']) await symlink(root, join(folder, 'releases', release));
  const ports = ['PORT', 'OPERATOR_PORT', 'DRILL_PORT', 'DRILL_OPERATOR_PORT'];
  env = {
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
});
afterEach(async () => {
  const pid = Number(await readFile(join(folder, 'units', 'pid'), 'utf8').catch(() => ''));
  if (pid > 0) process.kill(pid, 'SIGTERM');
  await rm(folder, { recursive: true, force: true });
});

const root = join(import.meta.dirname, '../../../..');
const page = await readFile(join(root, 'docs/operations.md'), 'utf8');
const script = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block).join('\n');

async function runAsPrinted(): Promise<{ readonly status: unknown; readonly printed: string; readonly told: string }> {
  const shell = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    env,
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [printed, told] = ['', ''];
  shell.stdout.setEncoding('utf8').on('data', (text: string) => void (printed += text));
  shell.stderr.setEncoding('utf8').on('data', (text: string) => void (told += text));
  const status = await new Promise((resolve) => shell.on('exit', resolve));
  return { status, printed, told };
}

describe('newcomer 28: docs/operations.md', () => {
  test('its commands do what they say: first night, backup, drill, upgrade; every alarm is explained', async () => {
    const { status, printed, told } = await runAsPrinted();
    expect([status, told, printed]).toEqual([0, expect.anything(), expect.stringContaining('are fine.')]);
    expect(printed).toMatch(/Warning: SMTP_URL is not set/);
    expect(printed).toContain('invitation_url');
    // At the proxy's door, in the drill, and after the upgrade.
    expect(printed.match(/Harbour School/g)!.length).toBeGreaterThan(1);
    expect(printed).toContain('The event logs of auth, catalog, commerce, learning, media, school are whole.');
    expect(printed).toMatch(/withheld_since +\d{4}-/);
    expect(printed).toMatch(/client_secret/);
    const exported = await readFile(join(folder, 'backups', 'harbour.ndjson'), 'utf8');
    expect(exported.trimEnd().split('\n').at(-1)).toContain('sha256');

    const settings = await readFile(join(folder, 'etc', 'lyceum.env'), 'utf8');
    const token = /^OPERATOR_TOKEN=(.*)$/m.exec(settings)![1]!;
    const answer = await fetch(`http://127.0.0.1:${env['OPERATOR_PORT']}/metrics`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const metrics = await answer.text();
    const alarms = [...metrics.matchAll(/^lyceum_alarm\{[^}]*name="(\w+)"[^}]*\} (\S+)/gm)];
    expect(alarms.length).toBeGreaterThan(4);
    expect(alarms.filter(([, name, value]) => value !== '0' || !page.includes(`| \`${name}\``))).toEqual([]);
    const unknown = [...page.matchAll(/\b(lyceum_[a-z0-9_]+|nodejs_[a-z0-9_]+|process_[a-z_]+)(?:\{|\b)/g)]
      .map(([, name]) => name!)
      .filter((name) => !metrics.includes(name));
    expect(unknown).toEqual([]);
  });
});
