import type { History, Message } from '@lyceum/channel';
import type { Peer } from './peers.ts';
import { serviceTokenHeader } from './service-token.ts';

/** Milliseconds that one question may take. */
const patience = 10_000;

/** Asks an instance of a peer, the next one when the first does not answer. Throws when none does. */
async function ask<T>({ name, urls, token }: Peer, path: string): Promise<T> {
  let failure: unknown;
  for (const url of urls)
    try {
      const response = await fetch(url + path, {
        headers: { [serviceTokenHeader]: token },
        signal: AbortSignal.timeout(patience),
        redirect: 'error',
      });
      if (response.ok) return (await response.json()) as T;
      await response.body?.cancel();
      failure = new Error(`it answers ${response.status}`);
    } catch (error) {
      failure = error;
    }
  throw new Error(`the ${name} service gives no facts`, { cause: failure });
}

/**
 * The facts of a service in another process: its own log is asked over HTTP. Rejects while the service does not answer.
 * Heads that are asked for in one turn of the event loop are asked for together.
 */
export async function factsOverHttp(peer: Peer): Promise<History> {
  const root = `/internal/facts/${peer.name}`;
  const heads = () => ask<{ lanes: number; heads: readonly number[] }>(peer, `${root}/heads`);
  const { lanes } = await heads();
  let together: Promise<readonly number[]> | undefined;
  const soon = async (): Promise<readonly number[]> => {
    await new Promise(setImmediate);
    together = undefined;
    return (await heads()).heads;
  };
  return {
    lanes,
    async backfill(lane, after, limit) {
      const { messages } = await ask<{ messages: readonly Message[] }>(
        peer,
        `${root}/${lane}?after=${after}&limit=${limit}`,
      );
      return messages;
    },
    async head(lane) {
      return (await (together ??= soon()))[lane] ?? 0;
    },
  };
}
