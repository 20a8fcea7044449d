import { preferredWait } from './preferred-wait.ts';
import { BoundedMap } from '@lyceum/kernel';
import type { CursorCodec } from '../lists/cursor-codec.ts';
import type { Call } from '../operations/operation.ts';
import { Problem } from '../replies/problem.ts';

/** A place in the log of a service. */
export interface Observed {
  readonly lane: number;
  readonly position: number;
}

/** The log that places are of. */
export interface TokenScope {
  /** Undefined where the service keeps no secret: it then gives no tokens. */
  readonly cursors: CursorCodec | undefined;
  readonly service: string;
  /** The log epoch: in another one a position may mean other commits. */
  readonly epoch: string | undefined;
}

const boundTo = (school: string): string => `consistency ${school}`;

/** Tokens that are kept: a list that nothing changes answers with the same one again and again. */
const known = new WeakMap<CursorCodec, BoundedMap<string, string>>();

/**
 * The Consistency-Token of a place: `<service>.<epoch>.<lane>.<position>`, encrypted, because positions of a lane tell what
 * all its schools write. Undefined where there is no secret.
 */
export function tokenOf({ cursors, service, epoch = '' }: TokenScope, school: string, { lane, position }: Observed) {
  if (!cursors) return undefined;
  let tokens = known.get(cursors);
  if (!tokens) known.set(cursors, (tokens = new BoundedMap(1_000)));
  const key = `${school} ${service}.${epoch}.${lane}.${position}`;
  let token = tokens.get(key);
  if (token === undefined) {
    token = cursors.seal({ value: position, id: `${service}.${epoch}.${lane}` }, boundTo(school));
    tokens.set(key, token);
  }
  return token;
}

/** Longest token that is looked at. */
const longest = 400;

/**
 * The place that a token names. Undefined where it is of another service or another log epoch: that says nothing of this
 * log. Throws the 400 problem when nobody gave it, or it was given for another school.
 */
function placeOf(token: string, { cursors, service, epoch = '' }: TokenScope, school: string): Observed | undefined {
  // As the release before gave them; to be taken away with the release after this one.
  const old = /^(\d{1,6})\.(\d{1,15})$/.exec(token);
  if (old) return { lane: Number(old[1]), position: Number(old[2]) };
  const { value, id } = opened(token, cursors, school);
  const [of, rest] = [id.slice(0, id.indexOf('.')), id.slice(id.indexOf('.') + 1)];
  const at = rest.lastIndexOf('.');
  return of === service && rest.slice(0, at) === epoch
    ? { lane: Number(rest.slice(at + 1)), position: Number(value) }
    : undefined;
}

function opened(token: string, cursors: CursorCodec | undefined, school: string): ReturnType<CursorCodec['open']> {
  try {
    if (cursors && token.length <= longest) return cursors.open(token, boundTo(school));
  } catch {
    // Answered below.
  }
  throw new Problem('invalid_request', 'Consistency-Token is not one that was given for this school');
}

/** Nobody waits longer than this for a read model. Seconds. */
const longestWait = 10;

/** What a caller has seen and how it would wait for it. @see RFC 7240 §4.3, §4.4 */
export function seenOf(token: string, prefer: string, scope: TokenScope, school: string): Call['seen'] {
  if (token === '') return undefined;
  const place = placeOf(token, scope, school);
  const isStrict = /(?:^|[,;\s])handling\s*=\s*"?strict/i.test(prefer);
  return place && { ...place, wait: preferredWait(prefer, longestWait), isStrict };
}
