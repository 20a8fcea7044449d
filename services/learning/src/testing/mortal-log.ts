import { type EventLog, Unavailable, forwarding } from '@lyceum/eventlog';

/** The log of a process that ends with its `last`th write: written, where `isWritten`, and never told. */
export function mortal(
  log: EventLog,
  last: number,
  isWritten: boolean,
): { readonly log: EventLog; readonly died: Promise<void> } {
  let writes = 0;
  let die = (): void => undefined;
  const died = new Promise<void>((resolve) => (die = resolve));
  return {
    died,
    log: forwarding(log, {
      async append(append) {
        writes += 1;
        if (writes < last) return log.append(append);
        if (writes === last && isWritten) await log.append(append);
        die();
        throw new Unavailable('the process is dead');
      },
    }),
  };
}
