import type { Asked } from './arguments.ts';
import { type Load, loadOf } from './load.ts';
import { type Money, moneyOf } from './money.ts';
import { type RoleNeed, engineNeeds, processNeeds, services } from './processors.ts';
import { type Parts, type Storage, partsOf, storageOf } from './storage.ts';

/** All that an installation needs. */
export interface Plan {
  readonly load: Load;
  readonly parts: Parts;
  readonly processes: readonly RoleNeed[];
  readonly engines: readonly RoleNeed[];
  readonly storage: Storage;
  readonly money: Money;
}

/** Works out what was asked. Throws a `RangeError` where no installation could be made of it. */
export function planOf({ given, costs, prices }: Asked): Plan {
  const load = loadOf(given, costs);
  const storage = storageOf(given, load, costs);
  const processes = processNeeds(given, load, costs);
  const engines = engineNeeds(given, load, costs, storage);
  return {
    load,
    // Each service has a log, the authorization server too.
    parts: partsOf(given, load, costs, services + 1),
    processes,
    engines,
    storage,
    money: moneyOf(given, prices, processes, engines, storage),
  };
}
