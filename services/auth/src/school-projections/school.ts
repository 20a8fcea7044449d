import { type Look, schoolFacts } from '@lyceum/contracts';

/** A school as far as signing in is concerned. `issuer` = `{base_url}`, no trailing slash. */
export interface School {
  readonly id: string;
  readonly name: string;
  readonly issuer: string;
  /** Where it answers too, in A-labels: its issuer is the same there. */
  readonly domains: readonly string[];
  /** BCP 47. */
  readonly locale: string;
  /** IANA name. */
  readonly timezone: string;
  /** How it looks; absent until it has published a look of its own. */
  readonly look?: Look;
  /** Who may open an account: anybody, or those who are invited. */
  readonly signUp: 'open' | 'invited';
  /** It is suspended, or closed: nobody opens an account. */
  readonly isClosed?: boolean;
}

/** Whether anybody may open an account at a school. */
export const mayAnybodySignUp = ({ signUp, isClosed }: School): boolean => signUp === 'open' && !isClosed;

/** An integration event of the school service. */
export interface SchoolFact {
  readonly type: string;
  readonly data: unknown;
}

/** The schools that this service knows. */
export interface KnownSchools {
  /** The school, or undefined when no integration event has named it yet. */
  get(id: string): Promise<School | undefined>;
}

const relevantTypes = [
  'SchoolProvisioned',
  'SchoolMoved',
  'DomainVerified',
  'DomainRemoved',
  'SchoolSignUpSet',
  'AppearancePublished',
  'SchoolChanged',
  'SchoolSuspended',
  'SchoolResumed',
  'SchoolClosed',
];

/** Whether an integration event changes what this service keeps of a school. */
export const isAboutSchool = (type: string): boolean => relevantTypes.includes(type);

/** The school after a fact; the same one when that is about other things. Throws when the fact is malformed. */
export function schoolAfter(id: string, known: School | undefined, { type, data }: SchoolFact): School | undefined {
  if (type === 'SchoolProvisioned') {
    const { name, base_url: issuer, locale, timezone } = schoolFacts.SchoolProvisioned.data.parse(data);
    return { id, name, issuer, domains: [], locale, timezone, signUp: 'invited' };
  }
  if (!known) return undefined;
  if (type === 'SchoolMoved') return { ...known, issuer: schoolFacts.SchoolMoved.data.parse(data).base_url };
  if (type === 'DomainVerified' || type === 'DomainRemoved') {
    const { domain } = schoolFacts[type].data.parse(data);
    const others = known.domains.filter((each) => each !== domain);
    return { ...known, domains: type === 'DomainVerified' ? [...others, domain] : others };
  }
  if (type === 'SchoolSignUpSet') return { ...known, signUp: schoolFacts.SchoolSignUpSet.data.parse(data).sign_up };
  if (type === 'SchoolChanged') {
    const { name = known.name, locale = known.locale, timezone = known.timezone } = schoolFacts[type].data.parse(data);
    return { ...known, name, locale, timezone };
  }
  if (type === 'SchoolSuspended' || type === 'SchoolResumed' || type === 'SchoolClosed')
    return { ...known, isClosed: type !== 'SchoolResumed' };
  if (type !== 'AppearancePublished') return known;
  const { revision: _revision, ...look } = schoolFacts.AppearancePublished.data.parse(data);
  return { ...known, look };
}
