import type { FactOf } from '@lyceum/contracts';
import { type Day, firstOfMonth, mondayOf } from '../calendar/calendar.ts';
import type { Changes, Editing } from '../figures/changes.ts';
import { type Figures, added } from '../figures/figures.ts';
import { addAlike, addTo, oneMore } from '../figures/series.ts';
import { ActiveDays, type NewDay } from './active-days.ts';
import { type Standing, move } from './drop-off.ts';
import {
  type FunnelRow,
  type RetentionRow,
  activeOf,
  enrollmentsOf,
  funnelId,
  mostWeeks,
  retentionId,
} from './learner.series.ts';

/** The steps of the funnel that follow the enrollment, with the per cent of the course at which each is reached. */
const steps = { started: 0, reached_25: 25, reached_50: 50, reached_75: 75, completed: Infinity } as const;
type Step = keyof typeof steps;
const stepNames = Object.keys(steps) as readonly Step[];

/** An enrollment, as far as later facts need it. */
interface EnrollmentRow {
  readonly member_id: string;
  readonly course_id: string;
  /** When it was first activated: RFC 3339, and as a day. */
  readonly since: string;
  readonly day: Day;
  /** The week of the member's first enrollment in anything. */
  readonly joined: Day;
  readonly reached: readonly Step[];
  readonly lapsed: boolean;
  readonly lesson: string | null;
  /** When the member was active in it at last. */
  readonly last: Day;
}

/** A member's first enrollment in anything. */
interface MemberRow {
  readonly member_id: string;
  readonly monday: Day;
}

type Of<Type extends FactOf<'learning'>['type']> = Extract<FactOf<'learning'>, { type: Type }>['data'];

/** Whose activity, in which enrollment. */
type About = Pick<Of<'EnrollmentCompleted'>, 'enrollment_id' | 'member_id' | 'course_id'>;

const noFunnel: FunnelRow & Figures = {
  enrolled: 0,
  started: 0,
  reached_25: 0,
  reached_50: 0,
  reached_75: 0,
  completed: 0,
  lapsed: 0,
};

const idOf = ({ enrollment_id }: Pick<About, 'enrollment_id'>): string => `enrollment:${enrollment_id}`;

const isCompleted = ({ reached }: EnrollmentRow): boolean => reached.includes('completed');

/** Where who has not completed the course stands; undefined = has completed it. */
const standingOf = (row: EnrollmentRow): Standing | undefined =>
  isCompleted(row) ? undefined : { lesson: row.lesson, day: row.last };

/** Whole days between two instants (RFC 3339). */
const daysBetween = (from: string, to: string): number =>
  Math.max(0, Math.floor((Date.parse(to) - Date.parse(from)) / 86_400_000));

/** One fact about an enrollment on its way into the figures: those of its course, and those of the school (''). */
export class LearnerFold {
  readonly #changes: Changes;
  readonly #day: Day;
  readonly #at: string;

  constructor(changes: Changes, day: Day, at: string) {
    this.#changes = changes;
    this.#day = day;
    this.#at = at;
  }

  *activated(data: Of<'EnrollmentActivated'>): Editing {
    const { member_id, course_id, source_type, again } = data;
    const row = yield* this.#changes.read<EnrollmentRow>(idOf(data));
    if (again || row) {
      yield* this.#count(course_id, { reactivated: 1 });
      if (!row?.lapsed) return;
      this.#changes.write(idOf(data), { ...row, lapsed: false });
      if (!isCompleted(row)) yield* this.#funnel(row, { lapsed: -1 });
      return;
    }
    const [day, monday] = [this.#day, mondayOf(this.#day)];
    const member = yield* this.#changes.read<MemberRow>(`member:${member_id}`);
    if (!member) this.#changes.write(`member:${member_id}`, { member_id, monday } satisfies MemberRow);
    const begun: EnrollmentRow = {
      member_id,
      course_id,
      since: this.#at,
      day,
      joined: member?.monday ?? monday,
      reached: [],
      lapsed: false,
      lesson: null,
      last: day,
    };
    this.#changes.write(idOf(data), begun);
    yield* this.#count(course_id, { enrolled: 1, sources: { [source_type]: 1 } });
    yield* this.#funnel(begun, { enrolled: 1 });
    yield* move(this.#changes, course_id, undefined, standingOf(begun), day);
    for (const scope of member ? [course_id] : [course_id, '']) yield* this.#joined(scope, monday);
  }

  *lapsed(data: Of<'EnrollmentLapsed'>): Editing {
    yield* this.#count(data.course_id, { lapsed: 1 });
    const row = yield* this.#changes.read<EnrollmentRow>(idOf(data));
    if (!row || row.lapsed) return;
    this.#changes.write(idOf(data), { ...row, lapsed: true });
    if (!isCompleted(row)) yield* this.#funnel(row, { lapsed: 1 });
  }

  *active(about: About): Editing {
    yield* this.#activity(about, 0, (row) => row);
  }

  *lessonCompleted(data: Of<'LessonCompleted'>): Editing {
    yield* this.#activity(data, data.percent, (row) => ({ ...row, lesson: data.lesson_id }));
  }

  *completed(data: Of<'EnrollmentCompleted'>): Editing {
    const row = yield* this.#changes.read<EnrollmentRow>(idOf(data));
    if (!row || isCompleted(row)) return;
    yield* this.#reached(data, row, stepNames);
    const days = daysBetween(row.since, this.#at);
    yield* this.#count(row.course_id, { completed: 1, took: { [days]: 1 } });
  }

  /** What was reached stays so; which lesson was completed last does not. */
  *reset(data: Of<'ProgressReset'>): Editing {
    const row = yield* this.#changes.read<EnrollmentRow>(idOf(data));
    if (row) yield* this.#become(data, row, { ...row, lesson: null });
  }

  *#activity(about: About, percent: number, learnt: (row: EnrollmentRow) => EnrollmentRow): Editing {
    const row = yield* this.#changes.read<EnrollmentRow>(idOf(about));
    if (!row) return;
    const now = learnt({ ...row, last: Math.max(row.last, this.#day) });
    yield* this.#reached(
      about,
      row,
      stepNames.filter((step) => steps[step] <= percent),
      now,
    );
    yield* this.#present(row, row.course_id);
    yield* this.#present(row, '');
  }

  /** Counts the steps that were not reached before. */
  *#reached(about: About, row: EnrollmentRow, wanted: readonly Step[], now = row): Editing {
    const more = wanted.filter((step) => !row.reached.includes(step));
    const after = more.length === 0 ? now : { ...now, reached: [...now.reached, ...more] };
    yield* this.#become(about, row, after);
    if (more.length > 0) yield* this.#funnel(row, Object.fromEntries(more.map((step) => [step, 1])));
  }

  *#become(about: About, before: EnrollmentRow, after: EnrollmentRow): Editing {
    this.#changes.write(idOf(about), after);
    yield* move(this.#changes, before.course_id, standingOf(before), standingOf(after), this.#day);
  }

  /** The member was active on this day, in a course or anywhere (''). */
  *#present(row: EnrollmentRow, scope: string): Editing {
    const found = yield* new ActiveDays(this.#changes, row.member_id).add(scope, this.#day);
    if (!found) return;
    yield* addTo(this.#changes, activeOf(scope), figuresOf(found));
    if (found.isFirstOfWeek) yield* this.#stayed(row, scope);
  }

  /** The member is active in this week, counted from that of the first enrollment. */
  *#stayed(row: EnrollmentRow, scope: string): Editing {
    const cohort = scope === '' ? row.joined : mondayOf(row.day);
    const week = (mondayOf(this.#day) - cohort) / 7;
    if (week < 0 || week > mostWeeks) return;
    yield* this.#changes.edit<RetentionRow>(retentionId(scope, cohort), (cohortRow) => {
      const { students = 0, active = [] } = cohortRow ?? {};
      const weeks = Array.from({ length: Math.max(active.length, week + 1) }, (_, index) => active[index] ?? 0);
      weeks[week]! += 1;
      return { students, active: weeks };
    });
  }

  *#joined(scope: string, monday: Day): Editing {
    yield* this.#changes.edit<RetentionRow>(retentionId(scope, monday), (row) => ({
      students: (row?.students ?? 0) + 1,
      active: row?.active ?? [],
    }));
  }

  *#funnel({ course_id, day }: EnrollmentRow, more: Figures): Editing {
    for (const scope of [course_id, ''])
      yield* this.#changes.edit<Figures>(funnelId(scope, mondayOf(day)), (row) => added(row ?? noFunnel, more));
  }

  *#count(course_id: string, figures: Figures): Editing {
    yield* addAlike(this.#changes, [enrollmentsOf(course_id), enrollmentsOf('')], this.#day, figures);
  }
}

/** What one more active student of a day changes: of its week and month at their first day, of the windows that have it. */
function figuresOf(found: NewDay): readonly (readonly [Day, Figures])[] {
  const { day } = found;
  const all: (readonly [Day, Figures])[] = [[day, { day: 1 }]];
  if (found.isFirstOfWeek) all.push([mondayOf(day), { week: 1 }]);
  if (found.isFirstOfMonth) all.push([firstOfMonth(day), { month: 1 }]);
  return [...all, ...oneMore('last_7', found.windowOf(7)), ...oneMore('last_30', found.windowOf(30))];
}
