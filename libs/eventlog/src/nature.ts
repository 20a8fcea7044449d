import type { EventLog } from './port.ts';

/** What a log is, whoever wraps it: for adapters that pass everything else on. */
export const natureOf = ({
  lanes,
  incarnation,
  looksOut,
}: EventLog): Pick<EventLog, 'lanes' | 'incarnation' | 'looksOut'> => ({
  lanes,
  ...(incarnation === undefined ? {} : { incarnation }),
  ...(looksOut ? { looksOut } : {}),
});
