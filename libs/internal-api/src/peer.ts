import { type Tracer, inSpan } from '@lyceum/kernel';
import type { Agent } from 'undici';
import { serviceTokenHeader } from './service-token.ts';

/** A service in another process: its addresses, any of which may be asked, and what makes it answer. */
export interface Peer {
  readonly name: string;
  /** Origins of its instances, at least one. */
  readonly urls: readonly string[];
  /** Shown in `x-service-token`. */
  readonly token: string;
  /** Given where traces are told of. */
  readonly tracer?: Tracer | undefined;
}

/** Whether a service runs in another process, which may be down: no readiness depends on it. */
export type IsAway = (service: string) => boolean;

/** A question to a peer; with a body it is a `POST` of JSON. */
export interface PeerQuestion {
  readonly path: string;
  readonly body?: unknown;
  /** Milliseconds that one instance may take. */
  readonly patience: number;
}

/** Connections to peers, kept open from question to question. */
let connections: Agent | undefined;

/**
 * Asks an instance of a peer, the next one when the first does not answer. Throws the last failure when none does. An
 * address may stand for several instances, and who keeps a connection stays with one of them: after an answer that is
 * none, the next question goes over a new connection.
 */
export async function askPeer(peer: Peer, question: PeerQuestion): Promise<unknown> {
  const { name, tracer } = peer;
  // What a process asks by itself, again and again, belongs to no trace.
  if (!tracer?.active()) return ask(peer, question);
  const method = question.body === undefined ? 'GET' : 'POST';
  const attributes = { 'http.request.method': method, 'lyceum.peer': name };
  const span = tracer.begin(`${method} ${name}`, { kind: 'client', attributes });
  return inSpan(span, () => ask(peer, question, { traceparent: span.traceparent }));
}

/**
 * Milliseconds that a connection to another service is kept while it is idle. It ends, with all that undici's clock may be late,
 * before an instance that stops ends it (`DRAIN_MS`, 2.5 s when it is not set): no request, of which one that writes is never
 * sent twice, meets one that is just being closed.
 */
export const idleFor = 1_500;

async function ask(
  { urls, token }: Peer,
  { path, body, patience }: PeerQuestion,
  trace: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const json = body === undefined ? {} : { 'content-type': 'application/json' };
  // Loaded with the first question: a system in one process asks none.
  const { Agent, fetch } = await import('undici');
  let failure: unknown;
  for (const url of urls)
    try {
      const response = await fetch(url + path, {
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
        headers: { [serviceTokenHeader]: token, ...json, ...trace },
        signal: AbortSignal.timeout(patience),
        redirect: 'error',
        dispatcher: (connections ??= new Agent({ keepAliveTimeout: idleFor, keepAliveMaxTimeout: idleFor })),
      });
      if (response.ok) return await response.json();
      leaveConnections();
      await response.body?.cancel();
      failure = new Error(`it answers ${response.status}`);
    } catch (error) {
      failure = error;
    }
  throw failure;
}

/** What is under way ends on the connections of before. */
function leaveConnections(): void {
  const before = connections;
  connections = undefined;
  void before?.close();
}
