import { afterAll, describe, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../system/system.ts';
import { ServerFailed } from './backing-server.ts';
import { type LocalSetup, startLocal } from './local/local-server.ts';
import { runFolder } from './run-folder.ts';

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1').on('error', () => resolve(false));
    socket.on('connect', () => {
      resolve(true);
      socket.destroy();
    });
  });

/** Waits, 10 s at most, for what must become true. */
async function soon(holds: () => boolean | Promise<boolean>): Promise<boolean> {
  for (const began = Date.now(); Date.now() - began < 10_000; await sleep(50)) if (await holds()) return true;
  return false;
}

const listener = (script: string): LocalSetup => ({
  kind: 'redis',
  title: 'a listener',
  async prepare() {
    const port = await freePort();
    return [{ port, command: process.execPath, args: ['-e', script, String(port)] }];
  },
  url: ([program]) => String(program!.port),
  ping: ({ port }) => answers(port),
});
const listening = `require('net').createServer().listen(process.argv[1], '127.0.0.1')`;

describe('a server and its owner', () => {
  const owner = spawn('sleep', ['60'], { stdio: 'ignore' });
  afterAll(() => void owner.kill('SIGKILL'));

  test('a crash of the owner ends the server, even a paused one, and removes its data', async () => {
    const server = await startLocal(listener(listening), owner.pid);
    const paused = await startLocal(listener(listening), owner.pid);
    await paused.pause();
    const folder = runFolder(owner.pid!);
    expect([await answers(Number(server.url)), existsSync(folder)]).toEqual([true, true]);
    owner.kill('SIGKILL');
    expect(await soon(() => !existsSync(folder))).toBe(true);
    expect(await soon(async () => !(await answers(Number(server.url))))).toBe(true);
    expect(await soon(async () => !(await answers(Number(paused.url))))).toBe(true);
  });

  test('a server that ends at its start fails with the end of its log', async () => {
    const broken = listener(`console.error('the disk is made of cheese'); process.exit(3)`);
    const start = startLocal(broken);
    await expect(start).rejects.toThrow(ServerFailed);
    await expect(start).rejects.toThrow(/ended with 3[^]*made of cheese/);
  });
});
