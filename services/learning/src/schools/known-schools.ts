import type { FactOf } from '@lyceum/contracts';
import { type Collection, type Documents, type Projection, rowAs } from '@lyceum/documents';

const schools: Collection = { name: 'schools', version: 1, fields: {} };
const only = 'school';

type Told = Extract<FactOf<'school'>, { type: 'SchoolProvisioned' | 'SchoolChanged' }>['data'];

/** What is known of a school. */
interface KnownSchool {
  readonly timezone: string;
}

/** What the service knows of its schools, from the integration events of the school service: the time zone. */
export const schoolProjection: Projection = {
  collection: schools,
  key: ({ type }) => (type === 'SchoolProvisioned' || type === 'SchoolChanged' ? only : undefined),
  project: ({ data }, before) => ({ timezone: (data as Told).timezone ?? before?.['timezone'] }),
};

/** IANA name of the school's time zone; UTC while integration events of a new school have not arrived. */
export async function timezoneOf(
  { documents }: { readonly documents: Pick<Documents, 'get'> },
  school: string,
): Promise<string> {
  return rowAs<KnownSchool>(await documents.get(schools, school, only))?.timezone ?? 'UTC';
}
