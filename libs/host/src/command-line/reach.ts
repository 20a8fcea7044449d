import { reachableEngines } from '../engines/reachable-engines.ts';
import type { ProcessSettings } from '../settings/settings.ts';

/** Which of the engines that the settings choose do not answer, as lines; empty when all do. Nothing is written to them. */
export async function engineObstacles(settings: ProcessSettings): Promise<string[]> {
  const titles = {
    mongodb: 'MONGODB_URL: MongoDB',
    kafka: `KAFKA_BROKERS: Kafka at ${settings.KAFKA_BROKERS}`,
    redis: 'REDIS_URL: Redis',
  } as const;
  const engines = reachableEngines(settings, { clientId: 'check' });
  const found = await Promise.all(engines.map(({ system, reach }) => obstacle(titles[system], reach)));
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
