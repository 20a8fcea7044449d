import { execute } from '@lyceum/eventlog';
import { isRejection, isoTime, uuidv5 } from '@lyceum/kernel';
import type { Reaction } from '@lyceum/service';
import { profileDecider, profileStream } from './profile.ts';

/** Keeps the currency of a school as it is from its first order on: what people owe and have paid is counted in it. */
export const currencyLocking: Reaction = {
  name: 'currency-locking',
  source: 'commerce',
  events: ['OrderPlaced'],
  async perform({ tenant, stream }, { log, clock }) {
    const done = await execute(log, profileDecider, {
      tenant,
      stream: profileStream,
      command: { type: 'LockCurrency' },
      commitId: uuidv5('currency-locked', tenant, stream),
      at: isoTime(clock.now()),
      meta: { actor: 'system' },
    });
    if (isRejection(done)) throw new Error(done.reason);
  },
};
