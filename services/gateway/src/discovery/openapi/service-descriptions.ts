import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Upstream } from '@lyceum/internal-api';
import type { ServiceDescription } from './school-openapi.ts';

/** How the services elsewhere are asked. */
export interface DescriptionOptions {
  /** Hears of every service whose description is new, or other than before; what it does not take it hears again. */
  readonly received: (described: ServiceDescription) => boolean;
  readonly onError: (service: string, error: unknown) => void;
  /** Milliseconds between questions to a service that answers. */
  readonly every?: number;
}

/**
 * Asks services in other processes what they offer, each until it answers and then from time to time: they start, stop
 * and are replaced as they like. The last description counts while a service is away.
 */
export function followDescriptions(
  upstreams: readonly Pick<Upstream, 'name' | 'describe'>[],
  { received, onError, every = 30_000 }: DescriptionOptions,
): { close(): Promise<void> } {
  const closing = new AbortController();
  const wait = (milliseconds: number) =>
    delay(milliseconds, undefined, { signal: closing.signal }).catch(() => undefined);
  const follow = async ({ name, describe }: Pick<Upstream, 'name' | 'describe'>) => {
    let known: Record<string, unknown> | undefined;
    for (let patience = 100; !closing.signal.aborted;) {
      try {
        const document = await describe();
        if (!isDeepStrictEqual(document, known)) known = received({ service: name, document }) ? document : undefined;
        patience = 100;
        await wait(every);
      } catch (error) {
        onError(name, error);
        await wait(patience);
        patience = Math.min(patience * 2, 5_000);
      }
    }
  };
  const following = upstreams.map(follow);
  return {
    async close() {
      closing.abort();
      await Promise.all(following);
    },
  };
}
