import type { SigningAlg } from '@lyceum/contracts';
import type { Work } from '@lyceum/service';
import { setTimeout as delay } from 'node:timers/promises';
import { ringAlgs } from './key-ring.ts';
import type { SigningKeys } from './signing-keys.ts';

/** Whose first keys are made, and how. */
export interface FirstKeys {
  readonly keys: Pick<SigningKeys, 'begin'>;
  readonly schools: () => Iterable<string>;
  /** Milliseconds between two looks for schools that are new. */
  readonly every?: number;
  /** Reports a failure; it is tried again at a later look. */
  readonly onError: (error: unknown, school: string) => void;
}

/** Of the time that making keys takes, how often it is rested in between: an RSA pair takes a core for a while. */
const rests: Readonly<Record<SigningAlg, number>> = { ES256: 1, RS256: 3 };

/** Looks that are left out after one in which something failed. */
const patience = 30;

/**
 * Makes the first keys of every school behind everything else, at a share of one core: nobody waits for it, and whoever
 * needs a key before its turn comes makes it at once. The cheap keys do not wait for the dear ones. Several processes may
 * do it side by side.
 */
export function makeFirstKeys({ keys, schools, every = 1_000, onError }: FirstKeys): Work {
  const closing = new AbortController();
  const wait = (milliseconds: number) =>
    delay(milliseconds, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);
  const make = async (alg: SigningAlg): Promise<void> => {
    const done = new Set<string>();
    for (let failed = false; !closing.signal.aborted; await wait(failed ? every * patience : every)) {
      failed = false;
      for (const school of schools()) {
        if (closing.signal.aborted) return;
        if (done.has(school)) continue;
        const began = performance.now();
        try {
          await keys.begin(school, alg);
          done.add(school);
        } catch (error) {
          failed = true;
          onError(error, school);
        }
        await wait((performance.now() - began) * rests[alg]);
      }
    }
  };
  const making = Promise.all(ringAlgs.map((alg) => wait(every).then(() => make(alg))));
  return {
    async close() {
      closing.abort();
      await making;
    },
  };
}
