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
 * are as consistent as without. Only where this process is the log's one writer: another log may be put in the place of
 * one on a server, and its streams may go on in another way.
 */
export const withStates = (log: EventLog, { bytes = 8 * 1024 * 1024, erasures }: StatesOptions = {}): EventLog =>
  log.looksOut ? log : forwarding(log, { states: new States(bytes, erasures) });
