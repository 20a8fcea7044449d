import { reachKafka } from '@lyceum/channel';
import { type Ephemeral, redisEphemeral } from '@lyceum/ephemeral';
import { pingMongo, reachMongo } from '@lyceum/mongo';
import type { ReachableEngine } from '@lyceum/operations';
import type { ProcessSettings } from '../settings/settings.ts';
import { kafkaOf, mongoOf, redisOf, usesKafka } from './engines.ts';

/** How a process asks its engines. */
interface Asking {
  /** Name of the client in the brokers' logs. */
  readonly clientId: string;
  /** The open store of what is short-lived, in a process that works with its engines already. */
  readonly ephemeral?: Ephemeral;
}

/** The servers that the settings choose, and how each is asked whether it answers. Nothing is written to them. */
export function reachableEngines(settings: ProcessSettings, asking: Asking): readonly ReachableEngine[] {
  const mongo = mongoOf(settings);
  return [
    ...(mongo
      ? [{ system: 'mongodb', reach: () => (asking.ephemeral ? pingMongo(mongo) : reachMongo(mongo)) } as const]
      : []),
    ...(usesKafka(settings) ? [{ system: 'kafka', reach: () => brokersOf(settings, asking) } as const] : []),
    ...(settings.REDIS_URL === undefined ? [] : [{ system: 'redis', reach: () => storeOf(settings, asking) } as const]),
  ];
}

const brokersOf = async (settings: ProcessSettings, { clientId }: Asking): Promise<void> =>
  reachKafka((await kafkaOf(settings, clientId))!);

/** A key that nobody writes: only a server that lets the process in answers that it is absent. */
async function storeOf(settings: ProcessSettings, { ephemeral }: Asking): Promise<void> {
  if (ephemeral) return void (await ephemeral.get('check'));
  const store = await redisEphemeral((await redisOf(settings))!);
  await store.get('check').finally(() => store.close());
}
