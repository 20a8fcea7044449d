import { type SigningAlg, signingAlgs } from '@lyceum/contracts';
import { type Decider, reject } from '@lyceum/kernel';
import { type KeyRingEvent, keyRingEvents } from './key-ring.events.ts';

/** A signing key of a school. */
export interface RingKey {
  readonly kid: string;
  readonly alg: SigningAlg;
  readonly publicJwk: Readonly<Record<string, unknown>>;
  /** The private key, sealed. */
  readonly sealed: string;
}

/** Keys that may still verify, oldest first. The newest of an algorithm signs. */
export type KeyRing = readonly RingKey[];

export type KeyRingCommand =
  | { readonly type: 'add'; readonly keys: readonly RingKey[] }
  /** Gives a new school its first keys; changes nothing when it has some. */
  | { readonly type: 'begin'; readonly keys: readonly RingKey[] }
  | { readonly type: 'retire'; readonly kid: string };

const added = ({ kid, alg, publicJwk, sealed }: RingKey): KeyRingEvent => ({
  type: 'SigningKeyAdded',
  data: { kid, alg, public_jwk: publicJwk, sealed },
});

/** Decides about the keys of one school. Each algorithm always keeps a key that signs. */
export const keyRing: Decider<KeyRing, KeyRingCommand, KeyRingEvent, 'invalid_state' | 'not_found'> = {
  events: keyRingEvents,
  initial: [],
  decide(command, state) {
    if (command.type === 'begin') return state.length > 0 ? [] : command.keys.map(added);
    if (command.type === 'add') return command.keys.map(added);
    const key = state.find(({ kid }) => kid === command.kid);
    if (!key) return reject('not_found', 'There is no such key');
    if (currentKey(state, key.alg) === key) return reject('invalid_state', 'This key signs; add its successor first');
    return [{ type: 'SigningKeyRetired', data: { kid: command.kid } }];
  },
  evolve(state, event) {
    if (event.type === 'SigningKeyRetired') return state.filter(({ kid }) => kid !== event.data.kid);
    const { kid, alg, public_jwk: publicJwk, sealed } = event.data;
    return [...state, { kid, alg, publicJwk, sealed }];
  },
};

/** The key that signs with an algorithm now. */
export const currentKey = (ring: KeyRing, alg: SigningAlg): RingKey | undefined =>
  ring.findLast((key) => key.alg === alg);

/** The algorithms for which every school has a key. */
export const ringAlgs: readonly SigningAlg[] = signingAlgs;
