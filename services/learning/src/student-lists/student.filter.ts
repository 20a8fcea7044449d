import { type Condition, type Document, type Found, type Page, type Query, rowAs } from '@lyceum/documents';
import type { AskingPorts } from '@lyceum/service';
import { type Call, type Ports, filterConditions, given, listFilters, queryAny } from '@lyceum/web';
import { instant, line } from '@lyceum/contracts';
import { z } from 'zod';
import { students } from '../students/student.rows.ts';
import { courseId } from '../courses/course-id.ts';
import { enrollmentStates } from '../enrollments/enrollment.seating.ts';
import { wantedMembers } from '../students/student.people.ts';
import type { StudentReader } from '../students/student.reading.ts';

const { limit: _limit, cursor: _cursor, ...times } = listFilters;

const percent = z.coerce.number().int().min(0).max(100);

/** What students are looked for by. */
export const studentFilters = {
  ...times,
  course_id: courseId.optional().meta({ description: 'Those with an enrollment in this course.' }),
  state: z.enum(enrollmentStates).optional().meta({
    description:
      'Of that enrollment; without `course_id`: active, awaiting_seat, refused = in any course, lapsed = active in none.',
  }),
  q: line(1, 100).optional().meta({ description: 'Part of the name.' }),
  tag: line(1, 40).optional().meta({ description: 'A tag of the member.' }),
  inactive_since: instant().optional().meta({
    description: 'Those who have learnt nothing since then, in any course, and were students already.',
  }),
  min_percent: percent.optional().meta({
    description: 'How far they are at least: in `course_id`; without it in the course that they learnt last.',
  }),
  max_percent: percent.optional().meta({ description: 'How far they are at most.' }),
};

const filters = z.object(studentFilters);

type Filters = Omit<z.output<typeof filters>, 'sort'>;

const fieldOf = {
  active: 'active_course_ids',
  awaiting_seat: 'awaiting_course_ids',
  refused: 'refused_course_ids',
  lapsed: 'lapsed_course_ids',
} as const;

/** Students with an enrollment of this state in any course. */
const inAnyCourse = (state: keyof typeof fieldOf): Condition =>
  state === 'active' || state === 'lapsed' ? { field: 'state', is: state } : { field: 'seats', has: state };

/** Who has learnt nothing since a time: lately, or never. */
const inactive = (since: string | undefined): readonly (readonly Condition[])[] =>
  since === undefined
    ? [[]]
    : [
        [{ field: 'last_activity_at', below: since }],
        [
          { field: 'last_activity_at', is: null },
          { field: 'created_at', below: since },
        ],
      ];

/** How far somebody is with the course that they learnt last; nowhere, where there is none. */
function farWithLast({ course_id, min_percent = 0, max_percent = 100 }: Filters): readonly (readonly Condition[])[] {
  if (course_id !== undefined || (min_percent === 0 && max_percent === 100)) return [[]];
  const learnt = { field: 'percent', from: min_percent, to: max_percent };
  return min_percent > 0 ? [[learnt]] : [[learnt], [{ field: 'percent', is: null }]];
}

/** Whether somebody is so far with the course that is asked for. */
function isSoFar(body: Document, { course_id, min_percent = 0, max_percent = 100 }: Filters): boolean {
  if (course_id === undefined) return true;
  const reached = rowAs<StudentRow>(body).percents?.[course_id] ?? 0;
  return reached >= min_percent && reached <= max_percent;
}

/** Where a student is in courses; the version of the rows before does not say. */
type StudentRow = { readonly percents?: Readonly<Record<string, number>> };

/** The rows that the reader may see and asks for, as alternatives. */
function alternatives({ courses }: StudentReader, asked: Filters): readonly (readonly Condition[])[] {
  const { course_id, state } = asked;
  const of = course_id === undefined ? courses : (courses ?? [course_id]).filter((each) => each === course_id);
  const field = state === undefined ? 'course_ids' : fieldOf[state];
  const where: readonly (readonly Condition[])[] = of
    ? of.map((has) => [{ field, has }])
    : [[...given(state, inAnyCourse)]];
  return where.flatMap((one) =>
    inactive(asked.inactive_since).flatMap((idle) =>
      farWithLast(asked).map((far) => [...one, ...idle, ...far, ...filterConditions(asked)]),
    ),
  );
}

/** A page of students, and where the next one begins when that is not behind its last row. */
export interface StudentPage extends Page {
  readonly next?: NonNullable<Query['after']>;
}

/** What of a call says which students it wants. */
interface Listing extends Pick<Call, 'school' | 'page'> {
  readonly query: Filters;
}

type Sort = NonNullable<Query['sort']>;

/**
 * A page of the students that the reader may see and asks for. Names and tags are known to the school service alone: few
 * members who have them are asked for first. Of many, and where it is asked how far they are in one course, each row is
 * looked at in turn, 2,000 for a page at most, which may then hold fewer rows than its limit and still not be the last.
 */
export async function studentPage(
  { school, query, page }: Listing,
  ports: Pick<Ports, 'documents'> & AskingPorts,
  reader: StudentReader,
  sort: Sort,
): Promise<StudentPage> {
  const where = alternatives(reader, query);
  if (where.length === 0) return { items: [], more: false };
  const rows = (also: readonly Condition[], wanted: Pick<Query, 'limit' | 'after'>) =>
    queryAny(
      ports.documents,
      students,
      school,
      where.map((each) => [...each, ...also]),
      { sort, ...wanted },
    );
  const isFar = ({ body }: Found): boolean => isSoFar(body, query);
  const asksFar = query.course_id !== undefined && (query.min_percent ?? query.max_percent) !== undefined;
  const asksNames = query.q !== undefined || query.tag !== undefined;
  const few = asksNames ? await wantedMembers(ports, school, query) : undefined;
  const also: readonly Condition[] = few && !few.more ? [{ field: 'id', in: few.ids }] : [];
  if (!asksFar && !few?.more) return rows(also, page);
  const isWanted = async (found: readonly Found[]): Promise<ReadonlySet<string>> => {
    const ids = found.filter(isFar).map(({ id }) => id);
    return new Set(few?.more && ids.length > 0 ? (await wantedMembers(ports, school, query, ids)).ids : ids);
  };
  return scan((wanted) => rows(also, wanted), isWanted, page, sort);
}

/** Rows looked at together, and for one page. */
const [together, mostLookedAt] = [100, 2_000];

/** Looks at rows one after the other until the page is full. */
async function scan(
  rows: (wanted: Pick<Query, 'limit' | 'after'>) => Promise<Page>,
  wantedOf: (found: readonly Found[]) => Promise<ReadonlySet<string>>,
  { limit, after: from }: Pick<Query, 'limit' | 'after'>,
  { field }: Sort,
): Promise<StudentPage> {
  const items: Found[] = [];
  let after = from;
  for (let lookedAt = 0; lookedAt < mostLookedAt; lookedAt += together) {
    const page = await rows({ limit: together, ...(after ? { after } : {}) });
    const wanted = await wantedOf(page.items);
    for (const [index, row] of page.items.entries()) {
      if (!wanted.has(row.id)) continue;
      items.push(row);
      if (items.length === limit) return { items, more: page.more || index < page.items.length - 1 };
    }
    const last = page.items.at(-1);
    if (!page.more || !last) return { items, more: false };
    after = { value: String(last.body[field]), id: last.id };
  }
  return { items, more: true, ...(after ? { next: after } : {}) };
}
