import type { SigningAlg } from '@lyceum/contracts';
import { isRejection, uuidv5 } from '@lyceum/kernel';
import type { Ports } from '@lyceum/web';
import { type CryptoKey, type JWK, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK } from 'jose';
import { type JsonWebKey, type KeyObject, createPrivateKey } from 'node:crypto';
import type { Sealer } from '../sealing/sealer.ts';
import { keyRingStream } from '../streams.ts';
import { read, seconds, write } from '../writing.ts';
import {
  type KeyPace,
  type KeyRing,
  type KeyRingCommand,
  type NewKey,
  type RingKey,
  currentKey,
  dueAlgs,
  keyRing,
  published,
  ringAlgs,
} from './key-ring.ts';

/** A key that signs. */
export interface Signer {
  readonly kid: string;
  readonly alg: SigningAlg;
  readonly key: CryptoKey;
  /** The same key as Node's own crypto takes it. */
  readonly prepared: KeyObject;
}

type PrivateKey = Pick<Signer, 'key' | 'prepared'>;

interface KeyPorts extends Pick<Ports, 'log' | 'clock' | 'ids'> {
  /** As lifetimes say when it is not given. */
  readonly pace?: KeyPace;
  readonly sealerOf: (school: string) => Promise<Sealer>;
  /** Whether this process would believe the key: after a theft another process may have retired it a moment ago. */
  readonly isTrusted?: (school: string, kid: string) => boolean;
}

/**
 * A ring is read again after this many milliseconds. A successor is published a day before it signs and its predecessor
 * verifies for longer, so it does no harm when processes change over one after the other.
 */
const freshFor = 10_000;

/** The signing keys of all schools: public halves in the open, private halves sealed in the log and opened in memory only. */
export class SigningKeys {
  readonly #ports: KeyPorts;
  readonly #rings = new Map<string, { readonly ring: KeyRing; readonly at: number }>();
  readonly #imported = new Map<string, Promise<CryptoKey>>();
  readonly #private = new Map<string, Promise<PrivateKey>>();

  constructor(ports: KeyPorts) {
    this.#ports = ports;
  }

  /** Gives a school its first keys, one for each algorithm. Idempotent, and safe when several processes do it at once. */
  async begin(school: string): Promise<KeyRing> {
    const known = await read(this.#ports, keyRing, school, keyRingStream);
    if (known.length > 0) return this.#remember(school, known);
    const keys = await Promise.all(ringAlgs.map((alg) => this.#make(school, alg)));
    const target = {
      school,
      stream: keyRingStream,
      meta: { actor: 'system' },
      commitId: uuidv5('auth', 'first-keys', school),
    };
    await write(this.#ports, keyRing, target, { type: 'begin', keys });
    return this.#remember(school, await read(this.#ports, keyRing, school, keyRingStream));
  }

  /** All keys of a school, oldest first. */
  async ring(school: string): Promise<KeyRing> {
    const kept = this.#rings.get(school);
    if (kept && this.#ports.clock.now() - kept.at < freshFor) return kept.ring;
    return this.#remember(school, await read(this.#ports, keyRing, school, keyRingStream));
  }

  /** The key that signs with an algorithm now. */
  async signer(school: string, alg: SigningAlg): Promise<Signer> {
    const known = currentKey(await this.ring(school), alg);
    const key = known && this.#isGood(school, known) ? known : currentKey(await this.begin(school), alg);
    if (!key) throw new Error(`school ${school} has no ${alg} key`);
    return { kid: key.kid, alg, ...(await this.#privateKey(school, key)) };
  }

  /** The public key with this id, for this algorithm only, if tokens that it signed count. */
  async verifier(school: string, kid: string, alg: string): Promise<CryptoKey | undefined> {
    return this.#public(school, published(await this.ring(school)), kid, alg);
  }

  /** The same, also when it is retired: for tokens that open nothing but say whom they were for. */
  async formerVerifier(school: string, kid: string, alg: string): Promise<CryptoKey | undefined> {
    return this.#public(school, await this.ring(school), kid, alg);
  }

  /** Publishes successors of the keys of a school: they sign a day later, as `advance` sees to. */
  async stage(school: string, algs: readonly SigningAlg[] = ringAlgs): Promise<KeyRing> {
    const keys = await Promise.all(algs.map((alg) => this.#make(school, alg)));
    return this.#decide(school, { type: 'stage', keys });
  }

  /** Takes the steps of rotation that are due in a school: successors every 90 days, then their turn, then the end of what was before. */
  async advance(school: string): Promise<KeyRing> {
    const now = seconds(this.#ports.clock);
    const ring = await read(this.#ports, keyRing, school, keyRingStream);
    if (ring.length === 0) return ring;
    const due = dueAlgs(ring, now, this.#ports.pace);
    if (due.length > 0) await this.stage(school, due);
    return this.#decide(school, { type: 'advance', now, ...(this.#ports.pace && { pace: this.#ports.pace }) });
  }

  /** Replaces the keys of a school at once, after a theft: every token of before is void. */
  async replace(school: string): Promise<KeyRing> {
    const keys = await Promise.all(ringAlgs.map((alg) => this.#make(school, alg)));
    return this.#decide(school, { type: 'replace', keys });
  }

  async #decide(school: string, command: KeyRingCommand): Promise<KeyRing> {
    const target = { school, stream: keyRingStream, meta: { actor: 'system' } };
    const done = await write(this.#ports, keyRing, target, command);
    if (isRejection(done)) throw new Error(done.reason);
    return this.#remember(school, done.state);
  }

  #isGood(school: string, { kid }: RingKey): boolean {
    return this.#ports.isTrusted?.(school, kid) ?? true;
  }

  async #public(school: string, ring: KeyRing, kid: string, alg: string): Promise<CryptoKey | undefined> {
    const key = ring.find((each) => each.kid === kid && each.alg === alg);
    return key && kept(this.#imported, `${school} ${kid}`, () => publicKey(key));
  }

  #remember(school: string, ring: KeyRing): KeyRing {
    this.#rings.set(school, { ring, at: this.#ports.clock.now() });
    return ring;
  }

  #privateKey(school: string, { kid, alg, sealed }: RingKey): Promise<PrivateKey> {
    return kept(this.#private, `${school} ${kid}`, async () => {
      const opened = (await this.#ports.sealerOf(school)).open('signing-key', [school, kid], sealed);
      if (opened === undefined) throw new Error(`signing key ${kid} cannot be opened: is KEY_ENCRYPTION_KEY the same?`);
      const jwk = JSON.parse(opened) as JWK;
      const prepared = createPrivateKey({ key: jwk as JsonWebKey, format: 'jwk' });
      return { key: (await importJWK(jwk, alg)) as CryptoKey, prepared };
    });
  }

  /** WebCrypto, never `generateKeyPairSync`: its export as JWK can hang on Node 20. */
  async #make(school: string, alg: SigningAlg): Promise<NewKey> {
    const pair = await generateKeyPair(alg, { extractable: true, modulusLength: 2048 });
    const [publicJwk, privateJwk] = await Promise.all([exportJWK(pair.publicKey), exportJWK(pair.privateKey)]);
    const kid = await calculateJwkThumbprint(publicJwk);
    const sealed = (await this.#ports.sealerOf(school)).seal('signing-key', [school, kid], JSON.stringify(privateJwk));
    return { kid, alg, publicJwk: { ...publicJwk, kid, alg, use: 'sig' }, sealed };
  }
}

const publicKey = async ({ publicJwk, alg }: RingKey): Promise<CryptoKey> =>
  (await importJWK(publicJwk as JWK, alg)) as CryptoKey;

/** What a map holds under a name; made when it is not there, and again when that failed. */
function kept<T>(map: Map<string, Promise<T>>, name: string, make: () => Promise<T>): Promise<T> {
  let value = map.get(name);
  if (!value) {
    value = make();
    map.set(name, value);
    value.catch(() => map.delete(name));
  }
  return value;
}
