import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Starts a server, waits until it is ready, and ends it by SIGTERM. Resolves when it has ended, to whether it was ready.
 * After `most` milliseconds it is killed.
 */
export async function trial(command, args, isReady, most, options = {}) {
  const server = spawn(command, args, { stdio: 'ignore', ...options });
  const ended = new Promise((resolve) => server.once('exit', resolve).once('error', resolve));
  const isRunning = () => server.pid !== undefined && server.exitCode === null && server.signalCode === null;
  const late = setTimeout(() => server.kill('SIGKILL'), most);
  try {
    let ready = false;
    while (isRunning() && !(ready = await isReady())) await sleep(100);
    server.kill('SIGTERM');
    await ended;
    return ready;
  } finally {
    clearTimeout(late);
  }
}

/** Whether something listens at the port. */
export const answers = (port) =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const settle = (open) => () => (socket.destroy(), resolve(open));
    socket.on('connect', settle(true)).on('error', settle(false));
  });
