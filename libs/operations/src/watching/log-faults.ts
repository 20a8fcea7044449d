import { type EventLog, type Fault, Unavailable, faultsIn } from '@lyceum/eventlog';
import type { Logger } from 'pino';
import type { Watch } from '@lyceum/service';

/** A log of a service. */
export interface NamedLog {
  readonly service: string;
  readonly log: EventLog;
}

/** Commits of a log are damaged or missing, so that nothing is made of it which looks whole. */
export class LogFaulty extends Error {
  override readonly name = 'LogFaulty';
}

/** A fault in one sentence. */
export const faultMessage = (service: string, { lane, position, reason }: Fault): string =>
  `The event log of ${service} ${reason === 'missing' ? 'lacks' : 'is damaged at'} position ${position} of its lane ${lane}`;

/** Reads whole logs. Throws `LogFaulty` for the first fault. */
export async function refuseFaults(logs: readonly NamedLog[]): Promise<void> {
  for (const { service, log } of logs) {
    const [fault] = await faultsIn(log, { most: 1 });
    if (fault) throw new LogFaulty(faultMessage(service, fault));
  }
}

/** Commits of each lane that a start looks at. */
const sampled = 256;

/** Faults among the newest commits of each lane, and among some others. */
export const sampleFaults = (log: EventLog) => faultsIn(log, { newest: sampled, others: sampled });

/**
 * Looks at the newest commits of each lane, and at some others, while the process already serves: a fault is told, and
 * raises the alarm `log_faults`. Never rejects.
 */
export async function sampleLogs(logs: readonly NamedLog[], watch: Watch, logger: Logger): Promise<void> {
  for (const { service, log } of logs)
    try {
      const faults = await sampleFaults(log);
      watch.alarm(service, 'log_faults', faults.length);
      for (const fault of faults) logger.error({ service, ...fault }, faultMessage(service, fault));
    } catch (err) {
      // The engine is away, or the process ends.
      if (!(err instanceof Unavailable)) logger.error({ err, service }, 'the event log could not be looked at');
    }
}
