import type { KeyObject } from 'node:crypto';
import { type RecordedEvent, jsonCopy, isObject } from '@lyceum/kernel';
import { type Bound, decrypt, encrypt } from '../keys/cipher.ts';
import { Corrupted } from '../errors.ts';
import { type Path, type Place, setAt, valueAt } from './places.ts';

/** The field, at the root of an event's data, that holds what was taken out of it. No event may use the name. */
export const sealedField = '$personal';

/** A value that was taken out: the way to its place, whom it is about, and the ciphertext. */
type Sealed = readonly [path: Path, subject: string, ciphertext: string];

/** What is known of an event before it is written. Its id is the commit's id and its number in the commit. */
export interface Sealable {
  readonly tenant: string;
  readonly stream: string;
  readonly type: string;
  readonly id: string;
}

/** A ciphertext opens for this event and this field only. */
const boundTo = ({ tenant, stream, type, id }: Sealable, path: Path, subject: string): Bound => [
  'event',
  tenant,
  stream,
  type,
  id,
  subject,
  ...path,
];

/** The event's data with null in all places; what stood there is beside it, encrypted. `data` is not changed. */
export function seal(
  event: Sealable,
  data: unknown,
  places: readonly Place[],
  keys: ReadonlyMap<string, KeyObject>,
): unknown {
  const open = jsonCopy(isObject(data) ? data : {});
  const sealed = places.map(({ path, subject }): Sealed => {
    const plain = Buffer.from(JSON.stringify(valueAt(open, path)));
    setAt(open, path, null);
    return [path, subject, encrypt(keys.get(subject)!, boundTo(event, path, subject), plain).toString('base64url')];
  });
  return { ...open, [sealedField]: sealed };
}

/** Whether something was taken out of an event's data. */
export const isSealed = (data: unknown): data is Readonly<Record<string, unknown>> =>
  isObject(data) && Object.hasOwn(data, sealedField);

/** What was taken out of an event. Throws `Corrupted` when that is not what `seal` leaves. */
export function sealedIn({ id, stream, data }: RecordedEvent): readonly Sealed[] {
  const sealed = isSealed(data) ? data[sealedField] : undefined;
  if (Array.isArray(sealed) && sealed.every(isEntry)) return sealed;
  throw new Corrupted(`event ${id} of stream ${stream}: its personal fields are damaged`);
}

const isEntry = (entry: unknown): entry is Sealed =>
  Array.isArray(entry) &&
  Array.isArray(entry[0]) &&
  entry[0].every((step) => typeof step === 'string' || typeof step === 'number') &&
  typeof entry[1] === 'string' &&
  typeof entry[2] === 'string';

/**
 * The data as it was written, with null where the subject is erased. `keys` has undefined for an erased one. Changes the
 * event's data in place: events that were read are fresh objects. Throws `Corrupted` when a field does not open.
 */
export function unseal(
  tenant: string,
  event: RecordedEvent,
  keys: ReadonlyMap<string, KeyObject | undefined>,
): RecordedEvent {
  const { [sealedField]: _, ...data } = isObject(event.data) ? event.data : {};
  for (const [path, subject, ciphertext] of sealedIn(event)) {
    const key = keys.get(subject);
    if (!key) continue;
    const plain = decrypt(key, boundTo({ ...event, tenant }, path, subject), Buffer.from(ciphertext, 'base64url'));
    if (!plain || !setAt(data, path, JSON.parse(plain.toString('utf8'))))
      throw new Corrupted(`event ${event.id} of stream ${event.stream}: ${path.join('.')} cannot be opened`);
  }
  return { ...event, data };
}
