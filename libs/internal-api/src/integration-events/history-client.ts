import type { Heads, History, Message } from '@lyceum/channel';
import { Unavailable } from '@lyceum/eventlog';
import { OtherHistory, shared, together } from '@lyceum/kernel';
import { type Peer, askPeer } from '../peer.ts';
import { Questions } from './questions.ts';

/** Milliseconds that one instance may take. */
const patience = 10_000;

/** What this process asks each service, by its addresses: all its consumers together. */
const asking = new Map<string, Questions>();

function questionsTo({ urls }: Peer): Questions {
  const to = urls.join(' ');
  const questions = asking.get(to) ?? new Questions();
  asking.set(to, questions);
  return questions;
}

/** Throws `Unavailable` when no instance answers. */
async function ask<T>(peer: Peer, path: string): Promise<T> {
  try {
    const send = async () => shared((await askPeer(peer, { path, patience })) as T);
    return await questionsTo(peer).ask(path, send);
  } catch (cause) {
    throw new Unavailable(`the ${peer.name} service gives no facts`, { cause });
  }
}

/** The owner's log is in another epoch than when it was last asked for its heads: what is read now means something else. */
class AnotherEpoch extends Error {
  override readonly name = 'AnotherEpoch';
}

/** Where the owner's lanes end; `incarnation` is the epoch of its log. */
interface Ends extends Pick<Heads, 'heads'> {
  readonly lanes: number;
  readonly incarnation?: string;
}

/** What the owner answers. `is_other`: the commit at the position asked for is another one than was named. */
interface Page {
  readonly messages: readonly Message[];
  readonly incarnation?: string;
  readonly is_other?: boolean;
}

/**
 * The facts of a service in another process: its own log is asked over HTTP. Rejects while the service does not answer.
 * Heads that are asked for in one turn of the event loop are asked for together. Messages are of the epoch of the log that
 * the heads were last asked of, or there are none.
 */
export async function factsOverHttp(peer: Peer): Promise<History> {
  const root = `/internal/facts/${peer.name}`;
  let epoch: string | undefined;
  const heads = async () => {
    const { incarnation, ...answer } = await ask<Ends>(peer, `${root}/heads`);
    epoch = incarnation;
    return { ...answer, ...(epoch === undefined ? {} : { epoch }) };
  };
  const { lanes } = await heads();
  const headsTogether = together(async (asked: readonly undefined[]): Promise<readonly Heads[]> => {
    const answer = await heads();
    return asked.map(() => answer);
  });
  return {
    lanes,
    async backfill(lane, after, limit, commitId) {
      // A release that does not know the parameter ignores it.
      const commit = commitId === undefined ? '' : `&commit=${encodeURIComponent(commitId)}`;
      const answer = await ask<Page>(peer, `${root}/${lane}?after=${after}&limit=${limit}${commit}`);
      const { messages, incarnation } = answer;
      if (incarnation !== epoch) throw new AnotherEpoch(`the log of the ${peer.name} service was restored or replaced`);
      if (answer.is_other) throw new OtherHistory(lane, after);
      return messages;
    },
    heads: () => headsTogether(undefined),
  };
}
