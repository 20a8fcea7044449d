import { isProcessStream } from '../process/process.ts';
import type { ServicePorts, Slice } from '../slice.ts';
import type { Moving } from './moving.ts';

/**
 * What a service does with schools that move. The streams of process managers stay, also of those that only a later release
 * has: what they have seen are positions of this log. Where the school arrives, its events are inputs once more, so that timers are set there, and commands that
 * have been carried out find nothing to do.
 */
export function movingOf<Settings extends object, Own extends object>(
  slices: readonly Slice<Settings, Own>[],
  ports: ServicePorts<Settings, Own>,
): Moving {
  const [own = {}] = slices.flatMap<Moving>((slice) => slice.moving?.(ports) ?? []);
  return { ...own, stays: (stream, asked) => isProcessStream(stream) || own.stays?.(stream, asked) === true };
}
