import { reachKafka } from '@lyceum/channel';
import { redisEphemeral } from '@lyceum/ephemeral';
import { reachMongo } from '@lyceum/mongo';
import { kafkaOf, mongoOf, redisOf } from '../engines/engines.ts';
import type { ProcessSettings } from '../settings/settings.ts';

/** Which of the engines that the settings choose do not answer, as lines; empty when all do. Nothing is written to them. */
export async function engineObstacles(settings: ProcessSettings): Promise<string[]> {
  const [mongo, kafka, redis] = [mongoOf(settings), await kafkaOf(settings, 'check'), await redisOf(settings)];
  const found = await Promise.all([
    mongo && obstacle('MONGODB_URL: MongoDB', () => reachMongo(mongo)),
    kafka && obstacle(`KAFKA_BROKERS: Kafka at ${settings.KAFKA_BROKERS}`, () => reachKafka(kafka)),
    redis &&
      obstacle('REDIS_URL: Redis', async () => {
        const store = await redisEphemeral(redis);
        await store.get('check').finally(() => store.close());
      }),
  ]);
  return found.filter((line) => line !== undefined);
}

async function obstacle(what: string, reach: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await reach();
    return undefined;
  } catch (error) {
    return `${what} does not answer (${reasonOf(error)})`;
  }
}

/** The innermost reason, without credentials: drivers like to show the whole address. */
export function reasonOf(error: unknown): string {
  let reason = error;
  while (reason instanceof Error && reason.cause instanceof Error) reason = reason.cause;
  const text = reason instanceof Error ? reason.message || reason.name : String(reason);
  return text.replaceAll(/\/\/[^\s/@]*@/g, '//');
}
