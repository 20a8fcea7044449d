import { type SigningAlg, signingAlgs } from '@lyceum/contracts';
import { type Decider, type Rejection, reject } from '@lyceum/kernel';
import { lifetimes } from '../lifetimes.ts';
import { type KeyRingEvent, keyRingEvents } from './key-ring.events.ts';

/**
 * What a key does: `next` is published and waits, `current` signs, `previous` still verifies, `retired` only tells whom an
 * old ID token was for.
 */
export type KeyStatus = 'next' | 'current' | 'previous' | 'retired';

/** A new signing key of a school. */
export interface NewKey {
  readonly kid: string;
  readonly alg: SigningAlg;
  readonly publicJwk: Readonly<Record<string, unknown>>;
  /** The private key, sealed. */
  readonly sealed: string;
}

/** A signing key of a school. */
export interface RingKey extends NewKey {
  readonly status: KeyStatus;
  /** When it came to this status, in seconds since the epoch. */
  readonly since: number;
}

/** All keys that a school ever had, oldest first. Of each algorithm one signs and at most one waits. */
export type KeyRing = readonly RingKey[];

/** For how long a key signs, and for how long before that it is published, in seconds. */
export interface KeyPace {
  readonly signs: number;
  readonly announced: number;
}

/** The pace at which keys sign for so many seconds: successors are published a day before, or three quarters of a shorter time. */
export const paceOf = (signs: number): KeyPace => ({
  signs,
  announced: Math.min(lifetimes.keyAnnounced, Math.floor((signs * 3) / 4)),
});

const usualPace = paceOf(lifetimes.signingKey);

export type KeyRingCommand =
  /** Gives a school its first keys, of the algorithms for which it has none. */
  | { readonly type: 'BeginKeyRing'; readonly keys: readonly NewKey[] }
  /** Publishes successors, a day before they sign. An algorithm that has one already is left alone. */
  | { readonly type: 'StageKeys'; readonly keys: readonly NewKey[] }
  /** Lets successors sign whose day has come, and ends predecessors whose last token has expired. */
  | { readonly type: 'AdvanceKeys'; readonly now: number; readonly pace?: KeyPace }
  /** After a theft: the new keys sign at once, and nothing that older ones signed counts any more. */
  | { readonly type: 'ReplaceKeys'; readonly keys: readonly NewKey[] };

/** Decides about the keys of one school. Each algorithm always keeps a key that signs. */
export const keyRingDecider: Decider<KeyRing, KeyRingCommand, KeyRingEvent, 'not_found'> = {
  events: keyRingEvents,
  initial: [],
  decide(command, state): readonly KeyRingEvent[] | Rejection<'not_found'> {
    if (command.type === 'BeginKeyRing') return command.keys.filter(({ alg }) => !currentKey(state, alg)).map(added);
    if (state.length === 0) return reject('not_found', 'The school has no keys yet');
    switch (command.type) {
      case 'StageKeys':
        return command.keys.filter(({ alg }) => !keyOf(state, alg, 'next')).map(added);
      case 'AdvanceKeys':
        return state.flatMap((key) => dueStep(key, command.now, command.pace));
      case 'ReplaceKeys': {
        const old = published(state).filter((key) => command.keys.some(({ alg }) => alg === key.alg));
        return [...command.keys.map(added), ...command.keys.map(activated), ...old.map(retired)];
      }
    }
  },
  evolve(state, event, { at }) {
    const since = Math.floor(Date.parse(at) / 1000);
    if (event.type === 'SigningKeyAdded') {
      const { kid, alg, public_jwk: publicJwk, sealed } = event.data;
      const status = keyOf(state, alg, 'current') ? 'next' : 'current';
      return [...state, { kid, alg, publicJwk, sealed, status, since }];
    }
    const { kid } = event.data;
    if (event.type === 'SigningKeyRetired')
      return state.map((key) => (key.kid === kid ? { ...key, sealed: '', status: 'retired', since } : key));
    const alg = state.find((key) => key.kid === kid)?.alg;
    return state.map((key) => {
      if (key.kid === kid) return { ...key, status: 'current', since };
      return key.alg === alg && key.status === 'current' ? { ...key, status: 'previous', since } : key;
    });
  },
};

const added = ({ kid, alg, publicJwk, sealed }: NewKey): KeyRingEvent => ({
  type: 'SigningKeyAdded',
  data: { kid, alg, public_jwk: publicJwk, sealed },
});

const activated = ({ kid }: NewKey): KeyRingEvent => ({ type: 'SigningKeyActivated', data: { kid } });
const retired = ({ kid }: NewKey): KeyRingEvent => ({ type: 'SigningKeyRetired', data: { kid } });

function dueStep(key: RingKey, now: number, { announced } = usualPace): readonly KeyRingEvent[] {
  if (key.status === 'next' && now >= key.since + announced) return [activated(key)];
  if (key.status === 'previous' && now >= key.since + lifetimes.keyKept) return [retired(key)];
  return [];
}

const keyOf = (ring: KeyRing, alg: SigningAlg, status: KeyStatus): RingKey | undefined =>
  ring.find((key) => key.alg === alg && key.status === status);

/** The key that signs with an algorithm now. */
export const currentKey = (ring: KeyRing, alg: SigningAlg): RingKey | undefined => keyOf(ring, alg, 'current');

/** The keys that may verify a token, for everybody to see. @see RFC 7517 §5 */
export const published = (ring: KeyRing): KeyRing => ring.filter(({ status }) => status !== 'retired');

/** The algorithms whose key has signed for so long that its successor is to be published. */
export const dueAlgs = (ring: KeyRing, now: number, { signs, announced } = usualPace): readonly SigningAlg[] =>
  signingAlgs.filter((alg) => {
    const current = keyOf(ring, alg, 'current');
    const age = current ? now - current.since : 0;
    return age >= signs - announced && !keyOf(ring, alg, 'next');
  });

/** The algorithms for which a school has a key once a token needs one, the cheap one first: a school's first key is ES256. */
export const ringAlgs: readonly SigningAlg[] = signingAlgs;

/** Whether the ring has a key of every algorithm, so that only rotation adds to it. */
export const isComplete = (ring: KeyRing): boolean => ringAlgs.every((alg) => currentKey(ring, alg));
