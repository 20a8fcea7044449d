import { type KafkaConnection, kafkaClients } from './kafka-driver.ts';

/** Asks the brokers who they are. Throws the driver's error when none answers, or refuses the client, within seconds. */
export async function reachKafka(connection: KafkaConnection): Promise<void> {
  const admin = (await kafkaClients(connection))().admin({ retry: { retries: 1, initialRetryTime: 100 } });
  try {
    await admin.connect();
    await admin.describeCluster();
  } finally {
    await admin.disconnect().catch(() => undefined);
  }
}
