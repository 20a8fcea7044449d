// oxlint-disable-next-line no-restricted-imports -- this file is the one entry to the driver; types cost nothing
import type { Admin, Consumer, EachBatchPayload, IHeaders, Kafka, KafkaMessage, Message, Producer } from 'kafkajs';
import type { ConnectionOptions } from 'node:tls';
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

/** Loads the driver and prepares a client; nothing is connected yet. A call gives up after about two seconds of refusals. */
export async function kafkaClient({ brokers, clientId, ssl, sasl }: KafkaConnection): Promise<Kafka> {
  // oxlint-disable-next-line no-restricted-imports -- loaded only when Kafka is chosen
  const { default: kafkajs } = await import('kafkajs');
  quietIdleConnections();
  return new kafkajs.Kafka({
    brokers: [...brokers],
    clientId,
    ...(ssl !== undefined && { ssl }),
    ...(sasl && { sasl: saslOf(sasl) }),
    connectionTimeout: 3_000,
    requestTimeout: 10_000,
    retry: { retries: 4, initialRetryTime: 100, multiplier: 2, maxRetryTime: 1_000 },
    // What goes wrong is thrown or an event; the driver's own lines would say it twice.
    logLevel: kafkajs.logLevel.NOTHING,
  });
}

/** Each mechanism is a type of its own for the driver. */
function saslOf({ mechanism, username, password }: KafkaSasl) {
  if (mechanism === 'plain') return { mechanism, username, password };
  return mechanism === 'scram-sha-256' ? { mechanism, username, password } : { mechanism, username, password };
}
