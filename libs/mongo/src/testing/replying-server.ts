import { once } from 'node:events';
import { type AddressInfo, type Socket, createServer } from 'node:net';
import { BSON, type Document } from 'mongodb';

/** A server that says what it is told to say, and remembers what it was asked. */
export interface ReplyingServer {
  readonly url: string;
  /** The commands so far, without those by which the driver looks after its connections. */
  readonly asked: Document[];
  close(): Promise<void>;
}

const [legacyQuery, message] = [2004, 2013];
const looks = ['hello', 'ismaster', 'isMaster', 'endSessions', 'buildInfo'];

/** Answers the MongoDB wire protocol as the primary of a replica set; `reply`: what it says to a command beside `ok`. */
export async function replyingServer(reply: (command: Document) => Document): Promise<ReplyingServer> {
  const asked: Document[] = [];
  const sockets = new Set<Socket>();
  const answer = (command: Document): Document => {
    const name = Object.keys(command)[0]!;
    if (looks.includes(name)) return primary;
    asked.push(command);
    return { ok: 1, ...reply(command) };
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    let waiting = Buffer.alloc(0);
    socket.on('error', () => undefined);
    socket.on('data', (part) => {
      for (waiting = Buffer.concat([waiting, part]); waiting.length >= 16;) {
        const length = waiting.readInt32LE(0);
        if (waiting.length < length) return;
        socket.write(answered(waiting.subarray(0, length), answer));
        waiting = waiting.subarray(length);
      }
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const address = `127.0.0.1:${port}`;
  const primary = {
    ok: 1,
    ismaster: true,
    isWritablePrimary: true,
    helloOk: true,
    setName: 'rs0',
    hosts: [address],
    me: address,
    version: '8.0.0',
    minWireVersion: 0,
    maxWireVersion: 25,
    logicalSessionTimeoutMinutes: 30,
  };
  return {
    url: `mongodb://127.0.0.1:${port}/?directConnection=true`,
    asked,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The answer to one message of the wire protocol. */
function answered(sent: Buffer, answer: (command: Document) => Document): Buffer {
  const [id, code] = [sent.readInt32LE(4), sent.readInt32LE(12)];
  // After the header: flags, then the name of a collection and two numbers, or the kind of the section.
  const begin = code === legacyQuery ? sent.indexOf(0, 20) + 9 : 21;
  const length = sent.readInt32LE(begin);
  const said = BSON.serialize(answer(BSON.deserialize(sent.subarray(begin, begin + length))));
  const before = code === legacyQuery ? Buffer.alloc(20) : Buffer.alloc(5);
  if (code === legacyQuery) before.writeInt32LE(1, 16);
  const head = Buffer.alloc(16);
  head.writeInt32LE(head.length + before.length + said.length, 0);
  head.writeInt32LE(id, 8);
  head.writeInt32LE(code === legacyQuery ? 1 : message, 12);
  return Buffer.concat([head, before, said]);
}
