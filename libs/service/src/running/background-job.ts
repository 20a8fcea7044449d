import { type Contender, type Work, soleLeases } from './leases.ts';
import type { ModulePorts } from '../module.ts';

/** Work that follows from time, not from events: it goes on as long as the service does, in one process at a time. */
export interface BackgroundJob<Settings extends object = Record<never, never>, Own extends object = object> {
  /** The name of its lease. */
  readonly name: string;
  /** Begins it. It must bear repetition: two processes may do it for a moment. */
  begin(ports: ModulePorts<Settings> & Own): Work;
}

/** Does the work whenever it is this process's. */
export function startBackgroundJob<Settings extends object, Own extends object>(
  ports: ModulePorts<Settings> & Own,
  { name, begin }: BackgroundJob<Settings, Own>,
): Contender {
  const { logger } = ports;
  const leases =
    ports.leases ?? soleLeases((err, work) => logger.error({ err, reason: work }, 'a background job failed'));
  return leases.contend(name, async () => begin(ports));
}
