import type { Call, Expansions, Ports } from '@lyceum/web';
import type { Asking } from './access.ts';

/**
 * Shows whole what things name by id. The owner of what is shown declares it; the owner of the things is given it, so that
 * neither folder imports the other.
 */
export interface Expander<Thing> {
  /** What the query may name in `expand`. */
  readonly expansions: Expansions;
  /** The things with what `wanted` names in them, as the caller sees it. What the caller may not know of is left out. */
  expand<T extends Thing>(
    call: Asking & Pick<Call, 'at' | 'issuer'>,
    ports: Ports,
    things: readonly T[],
    wanted: readonly string[] | undefined,
  ): Promise<readonly T[]>;
}
