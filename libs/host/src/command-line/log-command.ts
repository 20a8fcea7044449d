import { messageOf } from '@lyceum/kernel';
import { faultsIn } from '@lyceum/eventlog';
import { AlreadyRunning } from '@lyceum/sqlite';
import { openLog } from '../engines/engines.ts';
import { newInstruments, refuseHalfRestored, servicesOf, faultMessage } from '@lyceum/operations';
import { StartRefused } from '@lyceum/service';
import type { ProcessSettings } from '../settings/settings.ts';

/** Reads the logs of the services whole, without starting them. Gives lines for a person, and whether all is as it was written. */
export async function checkLogCommand(
  settings: ProcessSettings,
  services: readonly string[],
): Promise<{ readonly lines: readonly string[]; readonly isWhole: boolean }> {
  const { DATA_DIR, MONGODB_URL } = settings;
  await refuseHalfRestored(DATA_DIR);
  const kept = MONGODB_URL === undefined ? await servicesOf(DATA_DIR) : services;
  const faults: string[] = [];
  for (const service of kept) {
    const log = await openLog(settings, service, newInstruments().files).catch((error: unknown) => {
      throw notOpened(error, service, DATA_DIR);
    });
    try {
      faults.push(...(await faultsIn(log)).map((fault) => faultMessage(service, fault)));
    } finally {
      await log.close();
    }
  }
  const whole = `The event logs of ${kept.join(', ')} are whole.`;
  return { lines: faults.length > 0 ? faults : [whole], isWhole: faults.length === 0 };
}

const notOpened = (error: unknown, service: string, folder: string): StartRefused =>
  error instanceof AlreadyRunning
    ? new StartRefused(`${folder} is in use`, ['  Ask the running process: lyceum log check'])
    : new StartRefused(`The event log of ${service} cannot be opened: ${messageOf(error)}`, [
        '  Restore it from a backup.',
      ]);
