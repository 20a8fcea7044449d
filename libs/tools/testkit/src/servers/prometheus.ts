import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { loopbackFetch } from '../http/loopback-fetch.ts';
import { freePort } from '../system/system.ts';
import { ServerFailed } from './backing-server.ts';
import { programOnPath } from './local/engine-cache.ts';
import { serverFolder } from './run-folder.ts';

/** A program of Prometheus on the PATH, or where `npm run engines` puts it. */
function programOf(name: 'prometheus' | 'promtool'): string | undefined {
  const kept = join(process.env['LYCEUM_ENGINES'] ?? join(homedir(), '.cache/lyceum-engines'), 'prometheus', name);
  return programOnPath(name) ?? (existsSync(kept) ? kept : undefined);
}

/** Why there are no programs of Prometheus here; undefined when there are. With `REQUIRE_BACKING_SERVICES=1` a reason is thrown. */
export function noPrometheus(): string | undefined {
  const missing = (['prometheus', 'promtool'] as const).find((name) => programOf(name) === undefined);
  if (missing === undefined) return undefined;
  const reason = `there is no ${missing} (npm run engines)`;
  if (process.env['REQUIRE_BACKING_SERVICES'] === '1') throw new Error(reason);
  return reason;
}

/** Runs promtool. Resolves to its exit code and everything that it printed. */
export function promtool(
  ...args: readonly string[]
): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = spawn(programOf('promtool')!, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => void (output += part));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })));
}

/** What a server of Prometheus watches. */
export interface PrometheusOptions {
  /** `host:port` of each process. */
  readonly targets: readonly string[];
  /** The token of operators. */
  readonly token: string;
  /** A folder of rule files. An alert fires after eight seconds, however long its `for` is. */
  readonly rules: string;
}

/** A server of Prometheus that reads every five seconds. */
export interface Prometheus {
  /** Names of the alerts that fire at this moment. */
  firing(): Promise<readonly string[]>;
  /** Resolves when an alert fires, or when it does not fire any more. Throws after 90 seconds, with what fires. */
  until(alert: string, fires: boolean): Promise<void>;
  stop(): Promise<void>;
}

const configuration = ({ targets, token }: PrometheusOptions): string => `global:
  scrape_interval: 5s
  scrape_timeout: 5s
  evaluation_interval: 1s
rule_files: [rules/*.yaml]
scrape_configs:
  - job_name: lyceum
    authorization: { credentials: ${JSON.stringify(token)} }
    static_configs: [{ targets: ${JSON.stringify(targets)} }]
`;

/** Milliseconds that a start, or an alert, may take on a busy machine. */
const patience = 90_000;

/** Starts a server of Prometheus on loopback that dies with this process, and waits until it answers. */
export async function startPrometheus(options: PrometheusOptions): Promise<Prometheus> {
  const folder = await serverFolder(process.pid, 'prometheus');
  await mkdir(join(folder, 'rules'));
  for (const name of await readdir(options.rules)) {
    const rules = await readFile(join(options.rules, name), 'utf8');
    await writeFile(join(folder, 'rules', name), rules.replaceAll(/^( +for:) .*$/gm, '$1 8s'));
  }
  await writeFile(join(folder, 'prometheus.yaml'), configuration(options));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(
    programOf('prometheus')!,
    [
      `--config.file=${join(folder, 'prometheus.yaml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=warn',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  await writeFile(join(folder, 'prometheus.pid'), String(child.pid));
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => void (output += part));
  for (const began = Date.now(); ; await sleep(50)) {
    const answer = await loopbackFetch(`${url}/-/ready`).catch(() => undefined);
    if (answer?.status === 200) break;
    if (child.exitCode !== null || Date.now() - began > patience)
      throw new ServerFailed(`Prometheus did not start:\n${output}`);
  }
  const firing = async () => {
    const answer = await loopbackFetch(`${url}/api/v1/alerts`);
    const { data } = (await answer.json()) as { data: { alerts: { state: string; labels: { alertname: string } }[] } };
    return data.alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname);
  };
  return {
    firing,
    async until(alert, fires) {
      for (const began = Date.now(); ; await sleep(250)) {
        const names = await firing();
        if (names.includes(alert) === fires) return;
        if (Date.now() - began > patience)
          throw new Error(`${alert} ${fires ? 'does not fire' : 'still fires'}; these do: ${names.join(', ')}`);
      }
    },
    async stop() {
      await ended(child);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}
