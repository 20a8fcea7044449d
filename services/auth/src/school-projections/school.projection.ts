import { type Collection, type Documents, type Projection, rowAs } from '@lyceum/documents';
import { type School, type SchoolFact, isAboutSchool, schoolAfter } from './school-directory.ts';

/** What this service knows of schools, over a restart. */
const schoolDocuments: Collection = { name: 'schools', version: 2, fields: {} };
const only = 'school';

type Kept = Omit<School, 'id'>;

/** Built from the facts of the school service. */
export const schoolProjection: Projection = {
  collection: schoolDocuments,
  key: ({ type }) => (isAboutSchool(type) ? only : undefined),
  project: (fact, before) => {
    const { id: _, ...after } = schoolAfter('', before && { id: '', ...rowAs<Kept>(before) }, fact as SchoolFact) ?? {
      id: '',
    };
    return 'issuer' in after ? after : null;
  },
};

/** As a release before reads it, which knows neither changes of a school nor that it is closed. */
export const schoolProjectionBefore: Projection = {
  ...schoolProjection,
  collection: { ...schoolDocuments, version: 1 },
};

/** A school as it was known before this start; undefined when it never was. */
export async function findStoredSchool(documents: Pick<Documents, 'get'>, id: string): Promise<School | undefined> {
  const kept = await documents.get(schoolDocuments, id, only);
  return kept && { id, ...rowAs<Kept>(kept) };
}
