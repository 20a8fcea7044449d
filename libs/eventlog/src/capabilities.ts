import type { EventLog } from './port.ts';

type Capabilities = Pick<EventLog, 'lanes' | 'incarnation' | 'looksOut' | 'observeNow' | 'laneGaps'>;

/** What a log is, whoever wraps it: for adapters that pass everything else on. */
export const capabilitiesOf = ({ lanes, incarnation, looksOut, observeNow, laneGaps }: EventLog): Capabilities => ({
  lanes,
  ...(incarnation === undefined ? {} : { incarnation }),
  ...(looksOut ? { looksOut } : {}),
  ...(observeNow ? { observeNow } : {}),
  ...(laneGaps ? { laneGaps } : {}),
});
