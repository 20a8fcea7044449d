import { connect } from 'node:net';

/** Whether a MongoDB-wire server answers `hello` (OP_MSG). */
export const pingMongo = (port: number): Promise<boolean> =>
  ask(port, helloMessage(), (answer) =>
    answer.length >= 4 && answer.length >= answer.readInt32LE(0) ? answer.includes('maxWireVersion') : undefined,
  );

/** Whether a Kafka broker answers `Metadata` v1 and finds itself among the brokers: it is registered and unfenced. */
export const pingKafka = (port: number): Promise<boolean> =>
  ask(port, metadataRequest(), (answer) =>
    answer.length >= 12 && answer.length >= answer.readInt32BE(0) + 4 ? answer.readInt32BE(8) > 0 : undefined,
  );

/** Whether a PostgreSQL server lets this user in: it refuses while it recovers. */
export const pingPostgres = (port: number, user: string): Promise<boolean> =>
  ask(port, startupMessage(user), (answer) =>
    answer.length > 0 ? answer.toString('latin1', 0, 1) === 'R' : undefined,
  );

/** Whether a Redis server answers `PING`. */
export const pingRedis = (port: number): Promise<boolean> =>
  ask(port, Buffer.from('PING\r\n'), (answer) => (answer.includes('\r\n') ? answer.includes('+PONG') : undefined));

/** Whether this node of a Redis Cluster sees all slots served and knows all nodes. */
export const pingRedisCluster = (port: number, nodes: number): Promise<boolean> =>
  ask(port, Buffer.from('CLUSTER INFO\r\n'), (answer) => {
    const text = answer.toString();
    if (text.startsWith('-') || !text.startsWith('$')) return false;
    if (!text.includes('cluster_size')) return undefined;
    return text.includes('cluster_state:ok') && text.includes(`cluster_known_nodes:${nodes}`);
  });

/** Sends a request and reads until the judgement is made; no connection, an early end or 2 s of silence are a no. */
function ask(port: number, request: Buffer, judge: (answer: Buffer) => boolean | undefined): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: 2000 });
    let answer = Buffer.alloc(0);
    const settle = (verdict: boolean) => {
      resolve(verdict);
      socket.destroy();
    };
    socket.on('connect', () => socket.write(request));
    socket.on('data', (part) => {
      answer = Buffer.concat([answer, part]);
      const verdict = judge(answer);
      if (verdict !== undefined) settle(verdict);
    });
    for (const end of ['error', 'timeout', 'close'] as const) socket.on(end, () => settle(false));
  });
}

/** `{hello: 1, $db: 'admin'}` as OP_MSG with one body section. */
function helloMessage(): Buffer {
  const elements = Buffer.concat([
    Buffer.from('\x10hello\0\x01\0\0\0', 'latin1'),
    Buffer.from('\x02$db\0\x06\0\0\0admin\0', 'latin1'),
  ]);
  const document = Buffer.concat([int32LE(elements.length + 5), elements, Buffer.from([0])]);
  const message = Buffer.concat([int32LE(1), int32LE(0), int32LE(2013), int32LE(0), Buffer.from([0]), document]);
  return Buffer.concat([int32LE(message.length + 4), message]);
}

/** Whether an HTTP server answers, whatever it says. */
export const pingHttp = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(2_000) }).then(
    async (response) => (await response.arrayBuffer(), true),
    () => false,
  );

/** StartupMessage of protocol 3.0 for the database `postgres`. */
function startupMessage(user: string): Buffer {
  const parameters = Buffer.from(`user\0${user}\0database\0postgres\0\0`);
  const head = Buffer.alloc(8);
  head.writeInt32BE(parameters.length + 8);
  head.writeInt32BE(196_608, 4);
  return Buffer.concat([head, parameters]);
}

/** Metadata (3) v1 for no topic: correlation 1, no client id, an empty array of topics. */
function metadataRequest(): Buffer {
  const request = Buffer.from([0, 3, 0, 1, 0, 0, 0, 1, 0xff, 0xff, 0, 0, 0, 0]);
  const size = Buffer.alloc(4);
  size.writeInt32BE(request.length);
  return Buffer.concat([size, request]);
}

function int32LE(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
}
