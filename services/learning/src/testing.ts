import { uuidv5 } from '@lyceum/kernel';
import type { TokenClaims } from '@lyceum/oauth/testing';
import { found } from '@lyceum/testkit';
import { type Got, type ServiceUnderTest, type UnderTestOptions, serviceUnderTest } from '@lyceum/testkit-service';
import { learning } from './module.ts';
import { CountedSeats } from './testing/counted-seats.ts';
import { type Product, offeredProducts, productIds } from './testing/offered-products.ts';
import { type Course, catalogFacts, courseIds, quizzes } from './testing/published-courses.ts';

export { fileIds, productIds } from './testing/offered-products.ts';
export { courseIds, lessonFact } from './testing/published-courses.ts';

/** The members of school_1, by what they are called in tests; and one of school_2. */
const people = ['member', 'enrolled', 'other', 'erased'] as const;

const joined = (member_id: string, school?: string) => ({
  type: 'MemberJoined',
  data: { member_id, role: 'member' },
  ...(school === undefined ? {} : { school }),
});

/** What the school service has published before a test. */
const schoolFacts = [
  ...people.map((name) => joined(`account_${name}`)),
  { type: 'MemberErased', data: { member_id: 'account_erased', tokens_not_before: '2026-01-01T00:00:00.000Z' } },
  joined('account_elsewhere', 'school_2'),
];

/** The token of a member. */
export const memberToken = (
  name: string,
  scopes: TokenClaims['scopes'] = ['account:read', 'account:write'],
): TokenClaims => ({
  role: 'member',
  subject: `account_${name}`,
  ...(scopes ? { scopes } : {}),
});

/** The service under test. */
export interface Learning extends ServiceUnderTest {
  /** Who answers for the school service, unless the test brings ports of its own. */
  readonly school: FakeSchool;
  /** Who answers for the commerce service about seats. */
  readonly seats: CountedSeats;
  /** The staff enrolls a member; gives the answer's body. */
  enroll(member: string, course: Course, more?: object): Promise<Got>;
  /** The staff gives a member a digital product. */
  give(member: string, product: Product, more?: object): Promise<Got>;
}

/** A person of the school service as it answers about them. */
interface FakeMember {
  readonly id: string;
  readonly email: string;
  readonly status: string;
  readonly role: string;
}

/** The courses of one lecturer. */
const ownCourses = [courseIds.free, courseIds.paid, courseIds.quizzed];

const runsSchool: ReadonlySet<string> = new Set(['acc_1', 'account_owner', 'account_admin']);

const addressOf = (id: string): string => `${id}@example.org`;

/**
 * The school service, as far as it is asked: who joined, an owner and an admin, and whoever is invited. A member's tag is
 * the first letter of their name in tests.
 */
export class FakeSchool {
  readonly members = new Map<string, FakeMember>();
  /** How often each wish to invite came, by its commit. */
  readonly wishes = new Map<string, number>();
  #held: Promise<void> | undefined;

  constructor() {
    for (const name of people) this.#add(`account_${name}`, name === 'erased' ? 'erased' : 'active', 'member');
    for (const role of ['owner', 'admin']) this.#add(`account_${role}`, 'active', role);
    // Whose token is sent where a test says nothing else.
    this.#add('acc_1', 'active', 'owner');
  }

  readonly answer = async (service: string, question: Readonly<Record<string, unknown>>): Promise<unknown> => {
    if (service === 'catalog' && question['kind'] === 'courses-of-lecturer')
      return { courses: question['member'] === 'account_lecturer' ? ownCourses : [] };
    if (service === 'catalog' && question['kind'] === 'quiz-of-lesson')
      return quizzes[String(question['lesson'])] ?? null;
    if (service === 'catalog' && question['kind'] === 'offered-products') return offeredProducts(question);
    if (service === 'catalog' && question['kind'] === 'certificate-of-course')
      return { certificate: question['course'] === courseIds.quizzed, title: 'Paper lanterns' };
    if (service !== 'school') return undefined;
    const isHere = question['school'] === 'school_1';
    switch (question['kind']) {
      case 'members-by-id':
        return { members: (question['ids'] as readonly string[]).map((id) => this.#shown(id)) };
      case 'standing-of-members':
        if (runsSchool.has(String(question['ids']))) await this.#held;
        return {
          members: (question['ids'] as readonly string[]).flatMap((id) => (isHere ? (this.members.get(id) ?? []) : [])),
        };
      case 'members-matching':
        return this.#matching(question);
      case 'invite-student':
        return this.#invite(String(question['email']), String(question['commit']));
      default:
        return undefined;
    }
  };

  /** Says nothing about how the staff stand, so that imports wait, until what it gives is called. */
  hold(): () => void {
    let release = (): void => undefined;
    this.#held = new Promise((resolve) => (release = resolve));
    return () => {
      this.#held = undefined;
      release();
    };
  }

  /** Somebody joins. */
  join(id: string): void {
    this.#add(id, 'active', 'member');
  }

  /** Takes the role away from somebody. */
  demote(id: string): void {
    this.#add(id, 'active', 'member');
  }

  #add(id: string, status: string, role: string, email = addressOf(id)): FakeMember {
    const member = { id, email, status, role };
    this.members.set(id, member);
    return member;
  }

  #shown(id: string) {
    const email = this.members.get(id)?.email ?? addressOf(id);
    return { id, name: `Name of ${id}`, email, tags: [id.replace('account_', '').slice(0, 1)] };
  }

  #matching({ q, tag, ids }: Readonly<Record<string, unknown>>) {
    const asked = (ids as readonly string[] | undefined) ?? [...this.members.keys()];
    const found = asked
      .map((id) => this.#shown(id))
      .filter(
        ({ name, tags }) =>
          (typeof q === 'string' ? name.toLowerCase().includes(q.toLowerCase()) : true) &&
          (typeof tag === 'string' ? tags.includes(tag) : true),
      )
      .map(({ id }) => id);
    return { ids: found.slice(0, 200), more: found.length > 200 };
  }

  #invite(email: string, commit: string) {
    this.wishes.set(commit, (this.wishes.get(commit) ?? 0) + 1);
    const id = `account_${uuidv5('invited', commit)}`;
    const known = [...this.members.values()].find(
      (each) => each.status !== 'erased' && each.email.toLowerCase() === email.toLowerCase(),
    );
    if (known) return { member: known.id, status: known.status, invited: known.id === id };
    this.#add(id, 'invited', 'member', email);
    return { member: id, status: 'invited', invited: true };
  }
}

/** That the school has a time zone. */
const schoolIn = (timezone: string) => ({
  type: 'SchoolProvisioned',
  data: { slug: 's', name: 'S', host: 'h', base_url: 'b', currency: 'USD', locale: 'en', timezone },
});

/** What is special about a start. `school`: who answers for the school service, the same as before a restart. */
interface Starting extends UnderTestOptions<Record<never, never>> {
  readonly timezone?: string;
  readonly school?: FakeSchool;
  /** Who counts the seats, the same as before a restart; three of the course that has so many when not given. */
  readonly seats?: CountedSeats;
}

/** Starts the service with courses and members; in UTC unless a time zone is given. */
export async function startLearning({
  timezone,
  school = new FakeSchool(),
  seats = new CountedSeats({ [courseIds.seats]: 3 }),
  ...options
}: Starting = {}): Promise<Learning> {
  const provisioned = timezone === undefined ? [] : [schoolIn(timezone)];
  const service = await serviceUnderTest(learning, {
    published: { catalog: catalogFacts, school: [...provisioned, ...schoolFacts], commerce: [...seats.answers] },
    ports: { ask: school.answer },
    ...options,
  });
  seats.answer(service);
  const following = service.channel.subscribe({
    consumer: 'seats of a test',
    source: 'learning',
    from: async () => 0,
    handle: (message) => seats.take(message),
  });
  return {
    ...service,
    school,
    seats,
    async close() {
      await following.close();
      await service.close();
    },
    enroll: (member, course, more = {}) =>
      service.call('POST', `/api/students/account_${member}/enrollments`, {
        body: { course_id: courseIds[course], ...more },
      }),
    give: (member, product, more = {}) =>
      service.call('POST', `/api/students/account_${member}/digital_products`, {
        body: { product_id: productIds[product], ...more },
      }),
  };
}

/** The import once it is over. */
export function importOver(learning: Learning, id: string): Promise<Got['body']> {
  return found(async () => {
    const { body } = await learning.call('GET', `/api/student_imports/${id}`);
    return body.status === 'running' ? undefined : body;
  }, 'the end of the import');
}
