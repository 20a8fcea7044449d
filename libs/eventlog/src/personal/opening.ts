import type { Vault } from '../keys/vault.ts';
import { Corrupted } from '../errors.ts';
import type { Commit } from '../port.ts';
import { encryptedEventLog } from './encrypted-log.ts';
import { placesOf, setAt } from './places.ts';
import type { Catalogue } from './plan.ts';
import { isSealed, sealedField, sealedIn } from './sealing.ts';

/**
 * Opens stored commits that another installation wrote: as the encrypted log reads them, and only when
 * what is encrypted in each event is what this version calls personal. Anything else would be lost with the person's key.
 * Throws `Corrupted`, `KeyMissing`, and a `TypeError` when a personal field names no subject.
 */
export function openStored(vault: Vault, catalogue: Catalogue): (commit: Commit) => Promise<Commit> {
  let given: Commit;
  const reader = encryptedEventLog(
    { lanes: 1, readLane: () => Promise.resolve([given]) } as unknown as Parameters<typeof encryptedEventLog>[0],
    { vault, catalogue },
  );
  return async (commit) => {
    for (const event of commit.events) if (isSealed(event.data)) refuseMisplaced(catalogue, event);
    given = structuredClone(commit);
    return (await reader.readLane(0, 0, 1))[0]!;
  };
}

function refuseMisplaced(catalogue: Catalogue, event: Commit['events'][number]): void {
  const { [sealedField]: _, ...data } = structuredClone(isSealed(event.data) ? event.data : {});
  const sealed = sealedIn(event);
  const isWhole = sealed.every(([path]) => setAt(data, path, ''));
  const plan = catalogue.get(event.type);
  const declared = new Set((plan ? placesOf(plan, event.stream, data) : []).map(nameOf));
  const found = sealed.map(([path, subject]) => nameOf({ path, subject }));
  if (!isWhole || new Set(found).size < found.length || !found.every((name) => declared.has(name)))
    throw new Corrupted(`event ${event.id} of stream ${event.stream}: what is not personal is encrypted`);
}

const nameOf = ({ path, subject }: { readonly path: readonly unknown[]; readonly subject: string }): string =>
  JSON.stringify([path, subject]);
