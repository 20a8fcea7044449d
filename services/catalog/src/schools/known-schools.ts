import type { FactOf } from '@lyceum/contracts';
import type { Collection, Documents, Projection } from '@lyceum/documents';
import { type Ports, Problem } from '@lyceum/web';
import type { Given } from '../values/prices.ts';

const schools: Collection = { name: 'schools', version: 2, fields: {} };
const only = 'school';

type Told = Extract<FactOf<'school'>, { type: 'SchoolProvisioned' | 'SchoolChanged' }>['data'];

/** What the catalog knows of its schools, from the facts of the school service: currency and time zone. Survives a restart. */
export const schoolProjection: Projection = {
  collection: schools,
  key: ({ type }) => (type === 'SchoolProvisioned' || type === 'SchoolChanged' ? only : undefined),
  project({ data }, before) {
    const { currency = before?.['currency'], timezone = before?.['timezone'] } = data as Told;
    return { currency, timezone };
  },
};

/** The version before, which kept no time zone and knew no changes, while the present one is built. */
export const schoolProjectionBefore: Projection = { ...schoolProjection, collection: { ...schools, version: 1 } };

/** IANA name of the school's time zone; UTC while the fact about a new school has not arrived. */
export async function timezoneOf(
  { documents }: { readonly documents: Pick<Documents, 'get'> },
  school: string,
): Promise<string> {
  const known = await documents.get(schools, school, only);
  return String(known?.['timezone'] ?? 'UTC');
}

/** The school's currency, ISO 4217. Throws the 503 problem while the fact about a new school has not arrived. */
export async function currencyOf(documents: Documents, school: string): Promise<string> {
  const known = await documents.get(schools, school, only);
  if (!known)
    throw new Problem('temporarily_unavailable', 'The school is not known here yet: the school service is awaited', {
      headers: { 'Retry-After': '1' },
    });
  return String(known['currency']);
}

/** What prices of a request are read with: the school's currency, and ids for new ones. Throws what `currencyOf` throws. */
export const givenIn = async (
  school: string,
  { documents, ids }: Pick<Ports, 'documents' | 'ids'>,
): Promise<Given> => ({
  currency: await currencyOf(documents, school),
  newPriceId: () => ids.next('price'),
});
