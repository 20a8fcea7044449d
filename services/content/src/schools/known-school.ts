import type { FactOf } from '@lyceum/contracts';
import { type Collection, type Documents, type Projection, rowAs } from '@lyceum/documents';
import { Problem } from '@lyceum/web';

const schools: Collection = { name: 'schools', version: 2, fields: {} };
const only = 'school';

type Said<Type> = Partial<Extract<FactOf<'school'>, { type: Type }>['data']>;
type Told = Said<'SchoolProvisioned'> & Said<'SchoolChanged'>;

/** What is known of a school. */
export interface KnownSchool {
  readonly name: string;
  /** ISO 4217: what prices are in. */
  readonly currency: string;
  /** IANA name. */
  readonly timezone: string;
  /** A language tag. */
  readonly locale: string;
}

/** What the service knows of its schools, from the integration events of the school service. */
export const schoolProjection: Projection = {
  collection: schools,
  key: ({ type }) => (type === 'SchoolProvisioned' || type === 'SchoolChanged' ? only : undefined),
  project({ data }, before) {
    const known = rowAs<KnownSchool>(before);
    const told: Told = data as Told;
    return {
      name: told.name ?? known?.name,
      currency: told.currency ?? known?.currency,
      timezone: told.timezone ?? known?.timezone,
      locale: told.locale ?? known?.locale,
    };
  },
};

/** The version before, which kept no locale, while the present one is built. */
export const schoolProjectionBefore: Projection = { ...schoolProjection, collection: { ...schools, version: 1 } };

/** A school. Throws the 503 problem while the fact about a new one has not arrived. */
export async function knownSchool(
  { documents }: { readonly documents: Pick<Documents, 'get'> },
  school: string,
): Promise<KnownSchool> {
  const known = rowAs<KnownSchool>(await documents.get(schools, school, only));
  if (!known)
    throw new Problem('temporarily_unavailable', 'The school is not known here yet: the school service is awaited', {
      headers: { 'Retry-After': '1' },
    });
  return known;
}
