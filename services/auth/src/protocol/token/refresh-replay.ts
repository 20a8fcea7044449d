import { EphemeralUnavailable } from '@lyceum/ephemeral';
import { storedJson } from '@lyceum/kernel';
import type { Exchange } from '../../http/exchange/exchange.ts';
import { sha256 } from '../../sealing/digest.ts';
import type { TokenBody } from './token-response.ts';

/**
 * Answers every request with the same refresh token inside its grace with the same bytes: the request that stores its answer first
 * has made it for all. The store holds it sealed, for as long as the grace. When the store is away or has forgotten, the
 * answer made now is as good: the same tokens by id, lifetime and refresh token, only signed once more.
 */
export async function answerOnce(
  exchange: Exchange,
  { presented, isRetry }: { readonly presented: string; readonly isRetry: boolean },
  make: () => Promise<TokenBody>,
): Promise<TokenBody> {
  const { ports, school } = exchange;
  const { ephemeral, sealer, refreshGrace } = ports;
  if (refreshGrace === 0) return make();
  const key = `${school.id}:refresh-answer:${sha256(presented)}`;
  const bound = [school.id, presented];
  const kept = async () => {
    const sealed = await ephemeral.get(key).catch(ifUnavailable);
    const text = sealed === undefined ? undefined : sealer.open('refresh-answer', bound, sealed);
    return text === undefined ? undefined : storedJson<TokenBody>(text);
  };
  const before = isRetry ? await kept() : undefined;
  if (before) return before;
  const made = await make();
  const sealed = sealer.seal('refresh-answer', bound, JSON.stringify(made));
  const isFirst = await ephemeral.putIfAbsent(key, sealed, refreshGrace * 1000).catch(ifUnavailable);
  return isFirst === false ? ((await kept()) ?? made) : made;
}

/** The log has decided already, so a store that is away is no reason to fail. */
export function ifUnavailable(error: unknown): undefined {
  if (error instanceof EphemeralUnavailable) return undefined;
  throw error;
}
