import { freePort } from '@lyceum/testkit';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { PeerMissing } from '../measuring/case.ts';

const main = join(import.meta.dirname, '../../../../../services/all-in-one/dist/main.js');

/** Milliseconds between two looks at whether the process is ready, at least, and as a share of what it took until then. */
const [pause, share] = [10, 1 / 200];

/** Ports of one system. A data folder with the demo belongs to its port. */
export interface Ports {
  readonly port: number;
  readonly operatorPort: number;
}

/** A system that runs. */
export interface WholeSystem {
  readonly child: ChildProcess;
  readonly pid: number;
  /** Of the demo school, and of the operator's listener. */
  readonly url: string;
  readonly operatorUrl: string;
  /** SIGTERM, and waits for the end. */
  stop(): Promise<void>;
}

/** Two ports that nobody listens on. */
export const freePorts = async (): Promise<Ports> => ({ port: await freePort(), operatorPort: await freePort() });

/** Throws `PeerMissing` when there is no build of the system. */
export const built = (): Promise<void> =>
  access(main).catch(() => {
    throw new PeerMissing('the system is not built: npm run build');
  });

/** Starts the whole system, one process on the embedded engine, on a data folder, and waits until it is ready. */
export async function startWholeSystem(
  folder: string,
  { port, operatorPort }: Ports,
  settings: Readonly<Record<string, string>> = {},
): Promise<WholeSystem> {
  await mkdir(folder, { recursive: true });
  const own = { DATA_DIR: folder, PORT: String(port), OPERATOR_PORT: String(operatorPort) };
  // What the demo's people have done is written beside what is measured.
  const env = { ...process.env, DEMO_HISTORY: 'false', ...own, ...settings };
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const [url, operatorUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${operatorPort}`];
  await untilReady(child, `${url}/readyz`);
  const stop = async () => {
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    await gone;
  };
  return { child, pid: child.pid!, url, operatorUrl, stop };
}

async function untilReady(child: ChildProcess, url: string): Promise<void> {
  for (const began = performance.now(); ;) {
    if (child.exitCode !== null) throw new Error(`the process ended with ${child.exitCode} before it was ready`);
    const status = await fetch(url).then(
      (response) => response.status,
      () => undefined,
    );
    if (status === 200) return;
    await delay(Math.max(pause, (performance.now() - began) * share));
  }
}
