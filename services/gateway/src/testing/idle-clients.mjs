// Clients that connect to a port of 127.0.0.1 and say nothing. A process of their own, because each side of a connection
// takes one of the files that a process may have open. Arguments: the port, how many. Says `open` when all are connected;
// told anything, it tears every second one.
import { once } from 'node:events';
import { connect } from 'node:net';

const [port, count] = process.argv.slice(2).map(Number);
/** Fewer than what waits in the queue of a listening socket. */
const atOnce = 200;

const sockets = [];
while (sockets.length < count) {
  const more = Array.from({ length: Math.min(atOnce, count - sockets.length) }, () => connect(port, '127.0.0.1'));
  await Promise.all(more.map((socket) => once(socket, 'connect')));
  for (const socket of more) socket.on('error', () => undefined);
  sockets.push(...more);
}
process.send('open');
process.once('message', () => {
  const torn = sockets.filter((_, index) => index % 2 === 0);
  for (const socket of torn) socket.resetAndDestroy();
  process.send('torn');
});
