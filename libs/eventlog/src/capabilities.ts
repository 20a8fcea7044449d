import type { EventLog } from './port.ts';

type Nature = Pick<EventLog, 'lanes' | 'incarnation' | 'looksOut' | 'observeNow' | 'standstills'>;

/** What a log is, whoever wraps it: for adapters that pass everything else on. */
export const natureOf = ({ lanes, incarnation, looksOut, observeNow, standstills }: EventLog): Nature => ({
  lanes,
  ...(incarnation === undefined ? {} : { incarnation }),
  ...(looksOut ? { looksOut } : {}),
  ...(observeNow ? { observeNow } : {}),
  ...(standstills ? { standstills } : {}),
});
