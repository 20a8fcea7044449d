import { type FactSource, type FeedEntry, type Scope, type Shows, factSources, factsOf } from '@lyceum/contracts';
import { isOneOf } from '@lyceum/kernel';
import type { Principal } from '@lyceum/oauth';

/** The part of a fact that a reader sees. */
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

const run = ['student_email_to_lecturers', 'comment_policy', 'tax', 'suspend_access_on_dispute'] as const;

/** How a school is run is its staff's to know: nobody else hears of a change of nothing but that. */
const schoolChanges: Showing = {
  show({ type, data }, reader) {
    if (isStaff(reader)) return { type, data };
    const open = Object.entries(data).filter(([name]) => !isOneOf(run, name));
    return open.length === 0 ? undefined : { type, data: Object.fromEntries(open) };
  },
  sometimes: run,
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

/** Whether nobody but the staff reads a comment any more, other than because it was hidden or deleted. */
const isWithdrawn = ({ type, data }: Shown): boolean =>
  type === 'CommentMarkedSpam' ||
  type === 'CommentReported' ||
  (type === 'CommentEdited' && data['state'] !== 'visible');

/** What everybody reads of comments. Who wrote one, and why nobody reads it any more, is for the staff. */
const comment: Showing = {
  show({ type, data: { public: isPublic, ...data } }, reader) {
    if (isStaff(reader)) return { type, data };
    if (isPublic !== true) return undefined;
    const { author_ref: _author, state: _state, held: _held, ...open } = data;
    return { type: isWithdrawn({ type, data }) ? 'CommentHidden' : type, data: open };
  },
  never: ['public'],
  sometimes: ['author_ref', 'state', 'held'],
};

/** How the feed shows events, by what their declarations say. */
const showings: Readonly<Record<Shows, Showing>> = {
  everyone,
  staff,
  account: own,
  school: provisioned,
  'school-changes': schoolChanges,
  listed,
  listing,
  'taken-back': takenBack,
  priced,
  comment,
};

/** What an event happened to, as the API names it. */
const subjectOf =
  ({ of, below }: FeedEntry): ChangeRule['subject'] =>
  ({ subject, data }) => {
    const id = of === undefined ? subject : String(data[of]);
    return below === undefined ? id : `${id}/${below}`;
  };

const rulesOf = (source: FactSource): Readonly<Record<string, ChangeRule>> =>
  Object.fromEntries(
    Object.entries(factsOf(source)).flatMap(([type, { feed }]): [string, ChangeRule][] => {
      if (!feed) return [];
      const { scope, means, shows } = feed;
      return [[type, { ...showings[shows], scope, means, subject: subjectOf(feed) }]];
    }),
  );

/** The integration events that the feed has, by source and type, as their declarations say. */
export const changeRules = {
  school: rulesOf('school'),
  auth: rulesOf('auth'),
  catalog: rulesOf('catalog'),
  learning: rulesOf('learning'),
  media: rulesOf('media'),
  commerce: rulesOf('commerce'),
  content: rulesOf('content'),
} as const;

/** The services that the feed reads: those with something in it. */
export const changeSources = factSources.filter((source) => Object.keys(changeRules[source]).length > 0);

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
