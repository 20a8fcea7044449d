import { isObject } from '@lyceum/kernel';
import { type Peer, askPeer } from '../peer.ts';

/** A question of one service to another: what kind, and what it is about. Plain JSON. */
export interface ServiceQuery {
  readonly kind: string;
  readonly [about: string]: unknown;
}

/**
 * Asks another service of the installation, wherever it runs, for what must not stand in a fact: personal data, or what
 * has to be as of now. Undefined when the service knows nothing of it. Throws when it cannot be asked.
 */
export type AskService = (service: string, question: ServiceQuery) => Promise<unknown>;

/** A service as far as others may ask it; without `answer` it knows nothing of it. */
export interface QueriedService {
  answer?(question: ServiceQuery): Promise<unknown>;
}

/** The path of service queries: `POST`, the question as JSON, with the service token. */
export const serviceQueryPath = (service: string): string => `/internal/ask/${service}`;

/** Milliseconds that one instance may take. */
const patience = 5_000;

/** Asks a sibling in this process directly, and any other service over HTTP. */
export const serviceQueryClient =
  (sibling: (name: string) => QueriedService | undefined, peer: (name: string) => Peer | undefined): AskService =>
  (service, question) => {
    const here = sibling(service);
    if (here?.answer) return here.answer(question);
    const there = peer(service);
    if (!there) throw new Error(`the ${service} service cannot be asked now`);
    return queryOverHttp(there, question);
  };

async function queryOverHttp(peer: Peer, question: ServiceQuery): Promise<unknown> {
  try {
    const reply = await askPeer(peer, { path: serviceQueryPath(peer.name), body: question, patience });
    return isObject(reply) ? reply['answer'] : undefined;
  } catch (cause) {
    throw new Error(`the ${peer.name} service gives no answer`, { cause });
  }
}
