import { BoundedMap } from '@lyceum/kernel';
import { type Collection, type Documents, type Projection, rowAs } from '@lyceum/documents';
import { type KnownSchools, type School, type SchoolFact, isAboutSchool, schoolAfter } from './school.ts';

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

/** Milliseconds that a school is believed to be as it was, where it costs a question to look. */
const believed = 1_000;

/** The schools of the read model. */
export function knownSchools(documents: Pick<Documents, 'get' | 'exclusive'>): KnownSchools {
  const find = async (id: string): Promise<School | undefined> => {
    const kept = await documents.get(schoolDocuments, id, only);
    return kept && { id, ...rowAs<Kept>(kept) };
  };
  if (documents.exclusive) return { get: find };
  const recent = new BoundedMap<string, { readonly school: School; readonly until: number }>(1_000);
  return {
    async get(id) {
      const known = recent.get(id);
      if (known && performance.now() < known.until) return known.school;
      const school = await find(id);
      if (school) recent.set(id, { school, until: performance.now() + believed });
      return school;
    },
  };
}
