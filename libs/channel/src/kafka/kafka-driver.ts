// oxlint-disable-next-line no-restricted-imports -- this file is the one entry to the driver; types cost nothing
import type {
  Admin,
  Consumer,
  EachBatchPayload,
  IHeaders,
  ISocketFactory,
  Kafka,
  KafkaMessage,
  Message,
  Producer,
} from 'kafkajs';
import { type Socket, connect, isIP } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { quietIdleConnections } from './idle-connections.ts';

export type { Admin, Consumer, EachBatchPayload, IHeaders, Kafka, KafkaMessage, Producer };

/** A record as it is sent: to one partition, with a value. */
export type KafkaRecord = Message & { readonly partition: number };

/** How a client says who it is. */
export interface KafkaSasl {
  readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
  readonly username: string;
  readonly password: string;
}

/** Milliseconds after which the system looks whether an idle connection still leads to the broker. */
const keepAlive = 60_000;

/** Where Kafka is and who asks. */
export interface KafkaConnection {
  /** `host:port` of some brokers. */
  readonly brokers: readonly string[];
  /** Name of the client in the brokers' logs and quotas, e.g. the service's name. */
  readonly clientId: string;
  /** TLS: true, or certificates and the like. */
  readonly ssl?: boolean | ConnectionOptions;
  readonly sasl?: KafkaSasl;
}

/** Prepares a client; nothing is connected yet. A call gives up after about two seconds of refusals. */
export type KafkaClients = (sockets?: KafkaSockets) => Kafka;

/** Loads the driver. */
export async function kafkaClients({ brokers, clientId, ssl, sasl }: KafkaConnection): Promise<KafkaClients> {
  // oxlint-disable-next-line no-restricted-imports -- loaded only when Kafka is chosen
  const { default: kafkajs } = await import('kafkajs');
  quietIdleConnections();
  const options = {
    brokers: [...brokers],
    clientId,
    ...(ssl !== undefined && { ssl }),
    ...(sasl && { sasl: saslOf(sasl) }),
    connectionTimeout: 3_000,
    requestTimeout: 10_000,
    retry: { retries: 4, initialRetryTime: 100, multiplier: 2, maxRetryTime: 1_000 },
    // What goes wrong is thrown or an event; the driver's own lines would say it twice.
    logLevel: kafkajs.logLevel.NOTHING,
  };
  return (sockets) => new kafkajs.Kafka({ ...options, ...(sockets && { socketFactory: sockets.open }) });
}

/** The connections of a client, so that what it waits for can be cut off: the driver waits for a fetch until it is answered. */
export class KafkaSockets {
  readonly #sockets = new Set<Socket>();

  readonly open: ISocketFactory = ({ host, port, ssl, onConnect }) => {
    const name = isIP(host) ? {} : { servername: host };
    const socket = ssl ? connectTls({ host, port, ...name, ...ssl }, onConnect) : connect({ host, port }, onConnect);
    this.#sockets.add(socket.setKeepAlive(true, keepAlive));
    return socket.once('close', () => this.#sockets.delete(socket));
  };

  /** Requests under way fail; the next one connects anew. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy(new Error('cut off'));
  }
}

/** Each mechanism is a type of its own for the driver. */
function saslOf({ mechanism, username, password }: KafkaSasl) {
  if (mechanism === 'plain') return { mechanism, username, password };
  return mechanism === 'scram-sha-256' ? { mechanism, username, password } : { mechanism, username, password };
}
