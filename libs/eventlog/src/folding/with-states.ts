import { forwarding } from '../forwarding.ts';
import type { EventLog } from '../port.ts';
import { type Erasures, States } from './states.ts';

/** How states are remembered. */
interface StatesOptions {
  /** About how many bytes of states stay; 8 MiB when not given. */
  readonly bytes?: number;
  /** Whose states of personal fields may be kept as well; none when not given. */
  readonly erasures?: Erasures;
}

/**
 * The same log, whose replays begin at states that this process folded before: what came since is read each time, so they
 * are as consistent as without. Personal fields are in them only where this process is the log's one writer: of an erasure
 * by another process it would hear too late.
 */
export const withStates = (log: EventLog, { bytes = 8 * 1024 * 1024, erasures }: StatesOptions = {}): EventLog =>
  forwarding(log, { states: new States(bytes, log.looksOut ? undefined : erasures) });
