import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';

let server: Server;
let received: string;
let proxy: FaultProxy;
const clients: Socket[] = [];

beforeEach(async () => {
  received = '';
  server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (data) => {
      received += data;
      socket.write(`echo ${data}`);
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  proxy = await startFaultProxy(`redis://user:secret@127.0.0.1:${(server.address() as AddressInfo).port}/1?x=y`);
});

afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  await proxy.stop();
  await new Promise((resolve) => server.close(resolve));
});

async function client(): Promise<Socket> {
  const socket = connect(proxy.port, '127.0.0.1').setEncoding('utf8');
  clients.push(socket);
  await once(socket, 'connect');
  return socket;
}

const ended = (socket: Socket) =>
  new Promise<string>((resolve) => {
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'));
    socket.once('close', () => resolve('closed'));
  });

async function say(socket: Socket, text: string): Promise<string> {
  socket.write(text);
  return String((await once(socket, 'data'))[0]);
}

const silence = async (socket: Socket, milliseconds = 100): Promise<boolean> =>
  Promise.race([once(socket, 'data').then(() => false), sleep(milliseconds).then(() => true)]);

describe('a TCP proxy that spoils what passes', () => {
  test('forwards both ways, under the same URL but for the address', async () => {
    expect(proxy.url).toBe(`redis://user:secret@127.0.0.1:${proxy.port}/1?x=y`);
    const socket = await client();
    expect(await say(socket, 'hello')).toBe('echo hello');
    expect(proxy.connections()).toBe(1);
  });

  test('delay holds every chunk back in both directions and keeps the order', async () => {
    const socket = await client();
    expect(await say(socket, 'warm')).toBe('echo warm');
    proxy.delay(400);
    const began = performance.now();
    socket.write('first ');
    await sleep(150);
    proxy.delay(0);
    socket.write('second');
    let heard = '';
    while (!heard.includes('second')) heard += String((await once(socket, 'data'))[0]);
    expect(performance.now() - began).toBeGreaterThanOrEqual(395);
    expect(received).toBe('warmfirst second');
  });

  test('drop resets open connections and serves new ones', async () => {
    const socket = await client();
    expect(await say(socket, 'hello')).toBe('echo hello');
    const end = ended(socket);
    proxy.drop();
    expect(await end).toBe('ECONNRESET');
    expect(await say(await client(), 'again')).toBe('echo again');
  });

  test('refuse resets open and new connections until restore', async () => {
    const socket = await client();
    const end = ended(socket);
    proxy.refuse();
    expect(await end).toMatch(/ECONNRESET|closed/);
    const refused = connect(proxy.port, '127.0.0.1');
    clients.push(refused);
    expect(await ended(refused)).toMatch(/ECONNRESET|closed/);
    proxy.restore();
    expect(await say(await client(), 'back')).toBe('echo back');
  });

  test('halt keeps old and new connections open and silent; restore delivers what was held', async () => {
    const old = await client();
    expect(await say(old, 'hello')).toBe('echo hello');
    proxy.halt();
    old.write('held');
    const fresh = await client();
    fresh.write('held too');
    expect(await Promise.all([silence(old), silence(fresh)])).toEqual([true, true]);
    expect(received).toBe('hello');
    const [one, two] = [once(old, 'data'), once(fresh, 'data')];
    proxy.restore();
    expect([await one, await two]).toEqual([['echo held'], ['echo held too']]);
  });

  test('swallowed answers are lost, but the requests arrive', async () => {
    const socket = await client();
    expect(await say(socket, 'a')).toBe('echo a');
    proxy.swallowAnswers();
    socket.write('b');
    expect(await silence(socket)).toBe(true);
    expect(received).toBe('ab');
    proxy.restore();
    expect(await say(socket, 'c')).toBe('echo c');
  });
});
