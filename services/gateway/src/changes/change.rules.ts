import type { FactSource, Scope } from '@lyceum/contracts';
import type { Principal } from '@lyceum/oauth';

/** What of a fact somebody gets to see. */
export interface Shown {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Who may read a kind of fact; undefined for the public. */
export type Reader = Pick<Principal, 'subject' | 'role' | 'scopes'> | undefined;

type Data = Shown['data'];
type Show = (fact: Shown, reader: Reader) => Shown | undefined;

/** One kind of fact as the feed has it: the scope that a token needs, and what of it is for whom. */
export interface ChangeRule {
  readonly scope: Scope;
  readonly show: Show;
}

const isStaff = (reader: Reader): boolean => reader?.role === 'owner' || reader?.role === 'admin';

const everyone: Show = (fact) => fact;

/** When tokens end is between the services. */
const staff: Show = ({ type, data: { tokens_not_before: _kept, ...data } }, reader) =>
  isStaff(reader) ? { type, data } : undefined;

/** A person's own account, and nothing but that something happened to it. */
const own: Show = ({ type, data: { account_id } }, reader) =>
  reader?.subject === account_id ? { type, data: { account_id } } : undefined;

/** The slug of a school names it to its staff only. */
const provisioned: Show = ({ type, data: { slug, ...data } }, reader) => ({
  type,
  data: isStaff(reader) ? { ...data, slug } : data,
});

/** What takes a course from the public's lists: nobody hears of it who never found it there. */
const takenBack: Show = ({ type, data: { unseen, ...data } }, reader) =>
  unseen === true && !isStaff(reader) ? undefined : { type, data };

/** For the public an unlisted course is one that was taken back: whoever mirrors the catalogue must drop it. */
const listed: Show = ({ type, data: { unseen, ...data } }, reader) => {
  if (data['listed'] === true || isStaff(reader)) return { type, data };
  // A course that is only just published cannot have been there.
  if (type === 'CoursePublished') return undefined;
  return takenBack({ type: 'CourseUnpublished', data: { course_id: data['course_id'], unseen } }, reader);
};

/** As `listed`, and how many seats there are is the staff's to know. */
const listing: Show = ({ type, data: { seat_limit, ...data } }, reader) =>
  listed({ type, data: isStaff(reader) ? { ...data, seat_limit } : data }, reader);

/** What a price is of needs the scope of its own area too. */
const priced: Show = (fact, reader) =>
  fact.data['item_type'] === 'course' || reader?.scopes.has('digital_products:read') ? staff(fact, reader) : undefined;

const rule = (scope: Scope, show: Show): ChangeRule => ({ scope, show });

/** The facts that the feed has, by source and type. What is not named here is between the services and never shown. */
export const changeRules: Readonly<Record<FactSource, Readonly<Record<string, ChangeRule>>>> = {
  school: {
    SchoolProvisioned: rule('school:read', provisioned),
    SchoolMoved: rule('school:read', everyone),
    SchoolSignUpSet: rule('school:read', everyone),
    DomainVerified: rule('school:read', staff),
    DomainRemoved: rule('school:read', staff),
    AppearancePublished: rule('appearance:read', everyone),
    MemberJoined: rule('members:read', staff),
    MemberRoleChanged: rule('members:read', staff),
    MemberSuspended: rule('members:read', staff),
    MemberReinstated: rule('members:read', staff),
    MemberErased: rule('members:read', staff),
  },
  auth: {
    AccountOpened: rule('account:read', own),
    AccountChanged: rule('account:read', own),
    SessionsEnded: rule('account:read', own),
  },
  catalog: {
    CoursePublished: rule('courses:read', listed),
    CourseShown: rule('courses:read', listing),
    CourseUnpublished: rule('courses:read', takenBack),
    CourseArchived: rule('courses:read', takenBack),
    // Drafts have prices, seats and lecturers too: the public hears of them when a course or product is shown.
    PriceSet: rule('courses:read', priced),
    PriceRemoved: rule('courses:read', priced),
    SeatLimitChanged: rule('courses:read', staff),
    LecturerAssigned: rule('courses:read', staff),
    LecturerUnassigned: rule('courses:read', staff),
    // Lessons are published before their course is, so they are not the public's to hear of.
    LessonPublished: rule('curriculum:read', staff),
    LessonChanged: rule('curriculum:read', staff),
    LessonUnpublished: rule('curriculum:read', staff),
    LessonRemoved: rule('curriculum:read', staff),
    CurriculumTotalled: rule('curriculum:read', staff),
    DigitalProductShown: rule('digital_products:read', everyone),
    DigitalProductUnpublished: rule('digital_products:read', everyone),
    DigitalProductArchived: rule('digital_products:read', everyone),
  },
};

/** The services that the feed reads. */
export const changeSources = Object.keys(changeRules) as readonly FactSource[];

const byType = new Map(Object.values(changeRules).flatMap((rules) => Object.entries(rules)));

/** The scope that a type needs; undefined when the feed does not know the type. */
export const scopeOfType = (type: string): Scope | undefined => byType.get(type)?.scope;

/** Every type of the feed. */
export const changeTypes: readonly string[] = [...byType.keys()];

/** What of a fact a reader gets to see. A token needs the scope even for what is public; without one the public part is shown. */
export function shownTo(reader: Reader, source: FactSource, type: string, data: unknown): Shown | undefined {
  const found = changeRules[source][type];
  if (!found || (reader && !reader.scopes.has(found.scope))) return undefined;
  return found.show({ type, data: data as Data }, reader);
}
