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

/** What of a kind of fact is for whom, and the names of its data that no reader or only some of them find. */
interface Showing {
  readonly show: Show;
  readonly never?: readonly string[];
  readonly sometimes?: readonly string[];
}

/** One kind of fact as the feed has it. */
export interface ChangeRule extends Showing {
  /** What a token needs. */
  readonly scope: Scope;
  /** What it means, in words. */
  readonly means: string;
  /** The id that the API has for what it happened to. */
  readonly subject: (fact: { readonly subject: string; readonly data: Data }) => string;
}

const isStaff = (reader: Reader): boolean => reader?.role === 'owner' || reader?.role === 'admin';

const everyone: Showing = { show: (fact) => fact };

/** When tokens end is between the services. */
const staff: Showing = {
  show: ({ type, data: { tokens_not_before: _kept, ...data } }, reader) =>
    isStaff(reader) ? { type, data } : undefined,
  never: ['tokens_not_before'],
};

/** A person's own account, and nothing but that something happened to it. */
const own: Showing = {
  show: ({ type, data: { account_id } }, reader) =>
    reader?.subject === account_id ? { type, data: { account_id } } : undefined,
  never: ['tokens_not_before'],
};

/** The slug of a school names it to its staff only. */
const provisioned: Showing = {
  show: ({ type, data: { slug, ...data } }, reader) => ({ type, data: isStaff(reader) ? { ...data, slug } : data }),
  sometimes: ['slug'],
};

const marks = ['unseen', 'never_listed'] as const;

/** What takes a course from the public's lists: nobody hears of it who never found it there. */
const takenBack: Showing = {
  show: ({ type, data: { unseen, never_listed, ...data } }, reader) =>
    (unseen === true || never_listed === true) && !isStaff(reader) ? undefined : { type, data },
  never: marks,
};

/** For the public an unlisted course is one that was taken back: whoever mirrors the catalogue must drop it. */
const listed: Showing = {
  show: ({ type, data }, reader) => {
    const { unseen, never_listed, ...known } = data;
    if (data['listed'] === true || isStaff(reader)) return { type, data: known };
    // A course that is only just published cannot have been there.
    if (type === 'CoursePublished') return undefined;
    const gone = { type: 'CourseUnpublished', data: { course_id: data['course_id'], unseen, never_listed } };
    return takenBack.show(gone, reader);
  },
  never: marks,
};

/** As `listed`, and how many seats there are is the staff's to know. */
const listing: Showing = {
  ...listed,
  show: ({ type, data: { seat_limit, ...data } }, reader) =>
    listed.show({ type, data: isStaff(reader) ? { ...data, seat_limit } : data }, reader),
  sometimes: ['seat_limit'],
};

/** What a price is of needs the scope of its own area too. */
const priced: Showing = {
  show: (fact, reader) =>
    fact.data['item_type'] === 'course' || reader?.scopes.has('digital_products:read')
      ? staff.show(fact, reader)
      : undefined,
};

/** The rule of one kind of fact. `named`: which of its data is the id of what it happened to; its own subject otherwise. */
const rule = (scope: Scope, showing: Showing, means: string, named?: string): ChangeRule => ({
  ...showing,
  scope,
  means,
  subject: ({ subject, data }) => (named === undefined ? subject : String(data[named])),
});

/** The rule of what has no id of its own: its place below a thing that has one. */
const below = (place: string, within: ChangeRule): ChangeRule => ({
  ...within,
  subject: (fact) => `${within.subject(fact)}/${place}`,
});

/** The facts that the feed has, by source and type. What is not named here is between the services and never shown. */
export const changeRules: Readonly<Record<FactSource, Readonly<Record<string, ChangeRule>>>> = {
  school: {
    SchoolProvisioned: rule('school:read', provisioned, 'The school was opened'),
    SchoolMoved: rule('school:read', everyone, 'The school has another address; tokens of the old one are void'),
    SchoolSignUpSet: rule('school:read', everyone, 'Who may open an account was set'),
    DomainVerified: rule('school:read', staff, 'The school answers at this domain too', 'domain'),
    DomainRemoved: rule('school:read', staff, 'The school answers at this domain no longer', 'domain'),
    AppearancePublished: rule('appearance:read', everyone, 'The school looks like this from now on'),
    MemberJoined: rule('members:read', staff, 'A person belongs to the school'),
    MemberRoleChanged: rule('members:read', staff, 'A member has another role'),
    MemberSuspended: rule('members:read', staff, 'A member may not use the school for now'),
    MemberReinstated: rule('members:read', staff, 'A suspended member may use the school again'),
    MemberErased: rule('members:read', staff, 'What was known of a member was erased'),
  },
  auth: {
    AccountOpened: rule('account:read', own, 'You opened your account', 'account_id'),
    AccountChanged: rule('account:read', own, 'Your name or e-mail address is another one', 'account_id'),
    SessionsEnded: rule('account:read', own, 'You were signed out everywhere', 'account_id'),
  },
  catalog: {
    CoursePublished: rule('courses:read', listed, 'A course became public; CourseShown follows with all of it'),
    CourseShown: rule('courses:read', listing, 'A public course looks like this'),
    CourseUnpublished: rule('courses:read', takenBack, 'A course is public or listed no longer'),
    CourseArchived: rule('courses:read', takenBack, 'A course was put away for good'),
    // Drafts have prices, seats and lecturers too: the public hears of them when a course or product is shown.
    PriceSet: rule('courses:read', priced, 'A price of a course or digital product, drafts too, is this'),
    PriceRemoved: rule('courses:read', priced, 'A course or digital product has this price no longer'),
    SeatLimitChanged: rule('courses:read', staff, 'A course, drafts too, has so many seats'),
    LecturerAssigned: rule('courses:read', staff, 'A lecturer teaches a course, drafts too'),
    LecturerUnassigned: rule('courses:read', staff, 'A lecturer teaches a course no longer'),
    // Lessons are published before their course is, so they are not the public's to hear of.
    LessonPublished: rule('curriculum:read', staff, 'A lesson stands in the outline of its course', 'lesson_id'),
    LessonChanged: rule('curriculum:read', staff, 'A published lesson was changed', 'lesson_id'),
    LessonUnpublished: rule('curriculum:read', staff, 'A lesson is a draft again', 'lesson_id'),
    LessonRemoved: rule('curriculum:read', staff, 'A lesson was deleted', 'lesson_id'),
    CurriculumTotalled: below(
      'curriculum',
      rule('curriculum:read', staff, 'A course has so many published lessons, and they take so long', 'course_id'),
    ),
    DigitalProductShown: rule('digital_products:read', everyone, 'A public digital product looks like this'),
    DigitalProductUnpublished: rule('digital_products:read', everyone, 'A digital product is public no longer'),
    DigitalProductArchived: rule('digital_products:read', everyone, 'A digital product was put away for good'),
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

/** How much a reader sees of what has changed. */
export const viewOf = (reader: Reader): 'anonymous' | 'member' | 'staff' => {
  if (!reader) return 'anonymous';
  return isStaff(reader) ? 'staff' : 'member';
};
