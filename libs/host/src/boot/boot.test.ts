import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Gap } from '@lyceum/eventlog';
import { found, freePort } from '@lyceum/testkit';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Preparation, type Running, boot } from './boot.ts';
import { obstacles } from '../command-line/check.ts';
import { readEnvironment } from '../settings/environment.ts';
import { createLogger } from '../logger.ts';
import type { AnyModule, ModulePorts, Started } from '@lyceum/service';
import { shutDown } from './shutdown.ts';

const lines: string[] = [];
const logger = createLogger('info', { write: (line) => void lines.push(line) });

/** A service that takes as long as the path says: `/slow/300`. */
const slow = (more: Partial<Started> = {}, onStart: (ports: ModulePorts) => void = () => undefined): AnyModule => ({
  name: 'slow',
  routes: ['/slow'],
  consumes: [],
  async start(ports) {
    onStart(ports);
    return {
      app: (request, response) => void setTimeout(() => response.end('done'), Number(request.url?.split('/')[2] ?? 0)),
      close: async () => undefined,
      ...more,
    };
  },
});

describe('a process', () => {
  let folder: string;
  let base: string;
  let settings: ReturnType<typeof readEnvironment>['settings'];
  const running: Running[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lyceum-boot-'));
    await useFreePorts();
  });
  afterEach(async () => {
    for (const each of running.splice(0)) await shutDown(each, 0, logger);
    await rm(folder, { recursive: true, force: true });
  });

  async function useFreePorts(): Promise<void> {
    const [PORT, OPERATOR_PORT] = [String(await freePort()), String(await freePort())];
    ({ settings } = readEnvironment([], { PORT, OPERATOR_PORT, DATA_DIR: folder }));
    base = `http://127.0.0.1:${PORT}`;
  }
  async function start(module: AnyModule, prepare?: Preparation): Promise<Running> {
    const booted = await boot([module], settings, logger, prepare);
    running.push(booted);
    return booted;
  }
  const status = async (path: string): Promise<number> => (await fetch(base + path)).status;

  test('answers health questions before it is ready, whatever the host, and everything else with 503', async () => {
    let finish!: () => void;
    const ready = new Promise<void>((resolve) => (finish = resolve));
    const starting = start(slow({ ready: () => ready }));
    await sleep(100);
    expect([await status('/livez'), await status('/readyz'), await status('/slow/0')]).toEqual([200, 503, 503]);
    expect((await fetch(`${base}/slow/0`)).headers.get('retry-after')).toBe('1');
    finish();
    await starting;
    const paths = ['/livez', '/readyz', '/slow/0', '/other'];
    expect(await Promise.all(paths.map(status))).toEqual([200, 200, 200, 404]);
  });

  test('lets its operator look and mend before anything is waited for', async () => {
    let finish!: () => void;
    const ready = new Promise<void>((resolve) => (finish = resolve));
    const starting = start(slow({ ready: () => ready }));
    const operator = `http://127.0.0.1:${settings.OPERATOR_PORT}`;
    const read = () => readFile(join(folder, 'operator-token'), 'utf8').catch(() => '');
    const token = await found(async () => (await read()) || undefined, 'the token');
    const ask = (path: string, method = 'GET') =>
      fetch(operator + path, { method, headers: { authorization: `Bearer ${token.trim()}` } });
    await sleep(50);
    const answers = await Promise.all([
      ask('/internal/withheld'),
      ask('/metrics'),
      ask('/readyz'),
      ask('/internal/schools/import', 'POST'),
    ]);
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 503, 404]);
    expect(await answers[1]!.text()).toContain('lyceum_ready 0');
    finish();
    await starting;
    expect((await ask('/readyz')).status).toBe(200);
  });

  test('stops in order: unready at once, still serving, closing connections, finishing what is in flight', async () => {
    let closed = false;
    const booted = await start(slow({ close: async () => void (closed = true) }));
    running.length = 0;
    const inFlight = fetch(`${base}/slow/700`);
    await sleep(50);
    const stopped = shutDown(booted, 300, logger);
    await sleep(20);
    expect([await status('/readyz'), await status('/livez')]).toEqual([503, 200]);
    const during = await fetch(`${base}/slow/0`);
    expect([during.status, during.headers.get('connection')]).toEqual([200, 'close']);
    expect(closed).toBe(false);
    const answer = await inFlight;
    expect([await answer.text(), answer.headers.get('connection')]).toEqual(['done', 'close']);
    expect(await stopped).toBe(0);
    expect(closed).toBe(true);
    await expect(fetch(base)).rejects.toThrow();
  });

  test('is refused on a data folder that another process holds, and leaves nothing listening', async () => {
    await start(slow());
    await useFreePorts();
    await expect(start(slow())).rejects.toThrow(`already running on this data directory: ${folder}`);
    await expect(fetch(base)).rejects.toThrow();
    expect(await obstacles([slow()], settings)).toEqual([
      `Lyceum is already running on this data directory: ${folder}`,
    ]);
  });

  test('is refused on a port in use before any data is touched', async () => {
    await start(slow());
    settings = { ...settings, DATA_DIR: join(folder, 'other') };
    await expect(start(slow())).rejects.toThrow('is in use');
    await expect(stat(join(folder, 'other'))).rejects.toThrow('ENOENT');
    const found = (await obstacles([slow()], settings)).join('\n');
    expect(found).toContain('PORT: Port');
    expect(found).toContain('OPERATOR_PORT: Port');
  });

  test('is refused over a log that lacks a position, which is named, and leaves nothing open', async () => {
    let log: ModulePorts['log'] | undefined;
    const ready = async (): Promise<void> => {
      const gap = new Gap(2, 7);
      log!.laneGaps!.stand(slow, gap);
      throw gap;
    };
    const refused = start(slow({ ready }, (ports) => (log = ports.log)));
    await expect(refused).rejects.toThrow('The event log of slow lacks position 7 of its lane 2');
    await expect(refused).rejects.toMatchObject({ name: 'StartRefused' });
    await expect(fetch(base)).rejects.toThrow();
  });

  test('that fails while starting closes what it had opened', async () => {
    const broken = slow({}, () => {
      throw new Error('planned failure');
    });
    await expect(start(broken)).rejects.toThrow('planned failure');
    await start(slow());
    expect(await status('/readyz')).toBe(200);
  });

  test('keeps the operator token for its owner only, and asks for it', async () => {
    await start(slow());
    const operator = `http://127.0.0.1:${settings.OPERATOR_PORT}/internal/schools`;
    expect((await fetch(operator)).status).toBe(401);
    const file = join(folder, 'operator-token');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const authorization = `Bearer ${(await readFile(file, 'utf8')).trim()}`;
    expect((await fetch(operator, { headers: { authorization } })).status).toBe(404);
  });

  test('prepares before it is ready and shows what the preparation has to say', async () => {
    let seen: number | undefined;
    const booted = await start(slow(), async () => {
      seen = await status('/readyz');
      return { notes: ['a note'] };
    });
    expect([seen, booted.notes]).toEqual([503, ['a note']]);
  });

  test('does what a preparation leaves for the background while it serves, and lets it end before it closes', async () => {
    const seen: unknown[] = [];
    const meanwhile = {
      title: 'what is left',
      async perform(signal: AbortSignal) {
        while (!signal.aborted) await sleep(1);
        seen.push('ended');
      },
    };
    const close = () => Promise.resolve(void seen.push('closed'));
    const booted = await start(slow({ close }), () => Promise.resolve({ notes: [], meanwhile }));
    expect([await status('/readyz'), await status('/slow/0')]).toEqual([200, 200]);
    await shutDown(running.pop()!, 0, logger);
    expect([booted.notes, seen]).toEqual([[], ['ended', 'closed']]);
  });

  test('serves on when what it does in the background fails', async () => {
    const perform = () => Promise.reject(new Error('somebody is away'));
    await start(slow(), () => Promise.resolve({ notes: [], meanwhile: { title: 'what is left', perform } }));
    expect(await status('/readyz')).toBe(200);
    expect(await shutDown(running.pop()!, 0, logger)).toBe(0);
  });
});
