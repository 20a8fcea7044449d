import type { Peer } from '../peer.ts';
import { serviceTokenHeader } from '../service-token.ts';

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

/** Milliseconds that one question may take. */
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

/** Asks an instance of a peer, the next one when the first does not answer. */
async function queryOverHttp({ name, urls, token }: Peer, question: ServiceQuery): Promise<unknown> {
  let failure: unknown;
  for (const url of urls)
    try {
      const response = await fetch(url + serviceQueryPath(name), {
        method: 'POST',
        headers: { [serviceTokenHeader]: token, 'content-type': 'application/json' },
        body: JSON.stringify(question),
        signal: AbortSignal.timeout(patience),
        redirect: 'error',
      });
      if (response.ok) return ((await response.json()) as { answer?: unknown }).answer;
      await response.body?.cancel();
      failure = new Error(`it answers ${response.status}`);
    } catch (error) {
      failure = error;
    }
  throw new Error(`the ${name} service gives no answer`, { cause: failure });
}
