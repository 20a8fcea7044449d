import type { SigningAlg } from '@lyceum/contracts';
import { isRejection, uuidv5, storedJson } from '@lyceum/kernel';
import { type Ports, Problem } from '@lyceum/web';
import { type CryptoKey, type JWK, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK } from 'jose';
import { type JsonWebKey, type KeyObject, createPrivateKey, createPublicKey } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Sealer } from '../../sealing/sealer.ts';
import { ConcurrencyLimit } from '../concurrency-limit.ts';
import { keyRingStream } from '../streams.ts';
import { read, seconds, write } from '../write.ts';
import {
  type KeyPace,
  type KeyRing,
  type KeyRingCommand,
  type NewKey,
  type RingKey,
  currentKey,
  dueAlgs,
  isComplete,
  keyRingDecider,
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

/** Milliseconds that the first token of a school waits for its key to be known here. */
const trustPatience = 1_000;

const tooMany = (): never => {
  throw new Problem('temporarily_unavailable', 'Too many schools get their first keys; try again in a moment', {
    headers: { 'Retry-After': '5' },
  });
};

/** The signing keys of all schools: public halves in the open, private halves sealed in the log and opened in memory only. */
export class SigningKeys {
  readonly #ports: KeyPorts;
  readonly #rings = new Map<string, { readonly ring: KeyRing; readonly at: number }>();
  readonly #imported = new Map<string, KeyObject>();
  readonly #private = new Map<string, Promise<PrivateKey>>();
  readonly #reading = new Map<string, Promise<KeyRing>>();
  readonly #beginning = new Map<string, Promise<KeyRing>>();
  /** An RSA pair takes a core for a tenth of a second and longer: one at a time, and never all threads. */
  readonly #workshop = new ConcurrencyLimit(1, 1_000);

  constructor(ports: KeyPorts) {
    this.#ports = ports;
  }

  /**
   * Gives a school its first keys up to an algorithm, where it has none: the cheap ES256 always comes before RS256.
   * Idempotent, and safe when several processes do it at once: one commit of each is written.
   */
  async begin(school: string, alg: SigningAlg = ringAlgs.at(-1)!): Promise<KeyRing> {
    for (const each of ringAlgs.slice(0, ringAlgs.indexOf(alg))) await this.#first(school, each);
    return this.#first(school, alg);
  }

  /** All keys of a school, oldest first; none before the first use. */
  async ring(school: string): Promise<KeyRing> {
    const kept = this.#fresh(school);
    // Another process may have made the key that is missing a moment ago.
    return kept && isComplete(kept) ? kept : this.#again(school);
  }

  /** The keys that the school shows to everybody: at least the first one, made now if there is none. */
  async shown(school: string): Promise<KeyRing> {
    const ring = await this.ring(school);
    return currentKey(ring, ringAlgs[0]!) ? ring : this.begin(school, ringAlgs[0]);
  }

  /** The key that signs with an algorithm now; made when it is needed for the first time. */
  async signer(school: string, alg: SigningAlg): Promise<Signer> {
    const known = currentKey(this.#fresh(school) ?? [], alg) ?? currentKey(await this.#again(school), alg);
    const isGood = known && this.#isGood(school, known);
    const key = isGood ? known : currentKey(await (known ? this.#read(school) : this.begin(school, alg)), alg);
    if (!key) throw new Error(`school ${school} has no ${alg} key`);
    if (!known) await this.#untilTrusted(school, key);
    return { kid: key.kid, alg, ...(await this.#privateKey(school, key)) };
  }

  /** The public key with this id, for this algorithm only, if tokens that it signed count. */
  async verifier(school: string, kid: string, alg: string): Promise<KeyObject | undefined> {
    return this.#public(school, published(await this.#ringWith(school, kid)), kid, alg);
  }

  /** The same, also when it is retired: for tokens that open nothing but say whom they were for. */
  async formerVerifier(school: string, kid: string, alg: string): Promise<KeyObject | undefined> {
    return this.#public(school, await this.#ringWith(school, kid), kid, alg);
  }

  /** Publishes successors of the keys of a school: they sign a day later, as `advance` sees to. */
  async stage(school: string, algs: readonly SigningAlg[] = ringAlgs): Promise<KeyRing> {
    const keys = await Promise.all(algs.map((alg) => this.#make(school, alg)));
    return this.#decide(school, { type: 'StageKeys', keys });
  }

  /** Takes the steps of rotation that are due in a school: successors every 90 days, then their turn, then the end of what was before. */
  async advance(school: string): Promise<KeyRing> {
    const now = seconds(this.#ports.clock);
    const ring = await read(this.#ports, keyRingDecider, school, keyRingStream);
    if (ring.length === 0) return ring;
    const due = dueAlgs(ring, now, this.#ports.pace);
    if (due.length > 0) await this.stage(school, due);
    return this.#decide(school, { type: 'AdvanceKeys', now, ...(this.#ports.pace && { pace: this.#ports.pace }) });
  }

  /** Replaces the keys of a school at once, after a theft: every token of before is void. */
  async replace(school: string): Promise<KeyRing> {
    const keys = await Promise.all(ringAlgs.map((alg) => this.#make(school, alg)));
    return this.#decide(school, { type: 'ReplaceKeys', keys });
  }

  async #decide(school: string, command: KeyRingCommand): Promise<KeyRing> {
    const target = { school, stream: keyRingStream, meta: { actor: 'system' } };
    const done = await write(this.#ports, keyRingDecider, target, command);
    if (isRejection(done)) throw new Error(done.reason);
    return this.#remember(school, done.state);
  }

  /** One try at a time in this process; of several processes the first commit counts. */
  #first(school: string, alg: SigningAlg): Promise<KeyRing> {
    return together(this.#beginning, `${school} ${alg}`, async () => {
      const known = await this.#read(school);
      if (currentKey(known, alg)) return known;
      const keys = [await this.#make(school, alg)];
      // The id under which releases before wrote all first keys at once: of theirs and ours, one is written.
      const name = alg === ringAlgs[0] ? ['first-keys', school] : ['first-keys', school, alg];
      const target = {
        school,
        stream: keyRingStream,
        meta: { actor: 'system' },
        commitId: uuidv5('auth', ...name),
      };
      await write(this.#ports, keyRingDecider, target, { type: 'BeginKeyRing', keys });
      return this.#read(school);
    });
  }

  #fresh(school: string): KeyRing | undefined {
    const kept = this.#rings.get(school);
    return kept && this.#ports.clock.now() - kept.at < freshFor ? kept.ring : undefined;
  }

  async #read(school: string): Promise<KeyRing> {
    return this.#remember(school, await read(this.#ports, keyRingDecider, school, keyRingStream));
  }

  #again(school: string): Promise<KeyRing> {
    return together(this.#reading, school, () => this.#read(school));
  }

  async #ringWith(school: string, kid: string): Promise<KeyRing> {
    const kept = this.#fresh(school);
    return kept?.some((key) => key.kid === kid) ? kept : this.ring(school);
  }

  /** A key that was made this moment signs once this process believes it, so that no token comes before its key. */
  async #untilTrusted(school: string, key: RingKey): Promise<void> {
    for (let waited = 0; !this.#isGood(school, key) && waited < trustPatience; waited += 10) await delay(10);
  }

  #isGood(school: string, { kid }: RingKey): boolean {
    return this.#ports.isTrusted?.(school, kid) ?? true;
  }

  #public(school: string, ring: KeyRing, kid: string, alg: string): KeyObject | undefined {
    const key = ring.find((each) => each.kid === kid && each.alg === alg);
    if (!key) return undefined;
    const name = `${school} ${kid}`;
    const imported = this.#imported.get(name) ?? createPublicKey({ key: key.publicJwk, format: 'jwk' });
    this.#imported.set(name, imported);
    return imported;
  }

  #remember(school: string, ring: KeyRing): KeyRing {
    this.#rings.set(school, { ring, at: this.#ports.clock.now() });
    return ring;
  }

  #privateKey(school: string, { kid, alg, sealed }: RingKey): Promise<PrivateKey> {
    return kept(this.#private, `${school} ${kid}`, async () => {
      const opened = (await this.#ports.sealerOf(school)).open('signing-key', [school, kid], sealed);
      if (opened === undefined) throw new Error(`signing key ${kid} cannot be opened: is KEY_ENCRYPTION_KEY the same?`);
      const jwk = storedJson<JWK>(opened);
      const prepared = createPrivateKey({ key: jwk as JsonWebKey, format: 'jwk' });
      return { key: (await importJWK(jwk, alg)) as CryptoKey, prepared };
    });
  }

  /** WebCrypto, never `generateKeyPairSync`: its export as JWK can hang on Node 20. */
  #make(school: string, alg: SigningAlg): Promise<NewKey> {
    const made = () => this.#makeNow(school, alg);
    return alg === 'RS256' ? this.#workshop.pass(made, tooMany) : made();
  }

  async #makeNow(school: string, alg: SigningAlg): Promise<NewKey> {
    const pair = await generateKeyPair(alg, { extractable: true, modulusLength: 2048 });
    const [publicJwk, privateJwk] = await Promise.all([exportJWK(pair.publicKey), exportJWK(pair.privateKey)]);
    const kid = await calculateJwkThumbprint(publicJwk);
    const sealed = (await this.#ports.sealerOf(school)).seal('signing-key', [school, kid], JSON.stringify(privateJwk));
    return { kid, alg, publicJwk: { ...publicJwk, kid, alg, use: 'sig' }, sealed };
  }
}

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

/** Calls during a running call share its result. */
function together<T>(under: Map<string, Promise<T>>, name: string, ask: () => Promise<T>): Promise<T> {
  const asked = under.get(name) ?? ask().finally(() => under.delete(name));
  under.set(name, asked);
  return asked;
}
