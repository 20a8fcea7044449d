import { describe, expect, test } from '@jest/globals';
import { type Role, type Scope, facts, mayHold, scopeNames } from '@lyceum/contracts';
import { type Reader, changeRules, shownTo } from './change.rules.ts';

/** Facts that are between the services: keys, revocations, and what others here tell better. */
const internal = [
  'SubjectErased',
  'FactsWithheld',
  'FactsResumed',
  'SigningKeyPublished',
  'SigningKeyRetired',
  'GrantRevoked',
  'TokenRevoked',
  'ClientDisabled',
  'ClientEnabled',
  'EnrollmentPeriodSet',
  'LecturerArchived',
  'LecturerRestored',
  'LecturerRemoved',
  'SectionAdded',
  'SectionReleaseSet',
  'SectionRemoved',
  'LessonAdded',
  'CurriculumReordered',
  'FileReferenced',
  'FileReleased',
  'FileAnnounced',
  'FileReady',
  'FileRejected',
  'FileDeleted',
  'OrderFulfillable',
  'SeatRequested',
  'SeatReturned',
  'SeatTaken',
  'SeatReleased',
  'SeatDenied',
  'SeatLimitSet',
];

const reader = (role: Role, scopes: readonly Scope[] = scopeNames): Reader => ({
  subject: 'mem_1',
  role,
  scopes: new Set(scopes.filter((scope) => mayHold(role, scope))),
});
const course = { course_id: 'course_1', slug: 'a', title: 'A', access: 'paid' };

describe('who sees which change', () => {
  test('of every fact that crosses it is decided whether the feed has it', () => {
    for (const [source, declared] of Object.entries(facts))
      for (const type of Object.keys(declared))
        expect([type, Object.hasOwn(changeRules[source as 'auth'], type) !== internal.includes(type)]).toEqual([
          type,
          true,
        ]);
  });

  test('the public sees the school and listed courses, and nothing of members and accounts', () => {
    for (const type of Object.keys(changeRules.school).filter((each) => each.startsWith('Member')))
      expect(shownTo(undefined, 'school', type, { member_id: 'mem_1' })).toBeUndefined();
    for (const type of Object.keys(changeRules.auth))
      expect(shownTo(undefined, 'auth', type, { account_id: 'mem_1' })).toBeUndefined();
    const data = { ...course, listed: true };
    expect(shownTo(undefined, 'catalog', 'CoursePublished', data)).toEqual({ type: 'CoursePublished', data });
  });

  test.each(['lecturer', 'member', undefined] as const)(
    'S14: to %s a course that leaves the lists looks taken back, and one that was never there does not appear at all',
    (role) => {
      const who = role && reader(role);
      const unlisted = { ...course, listed: false };
      const takenBack = { type: 'CourseUnpublished', data: { course_id: 'course_1' } };
      expect(shownTo(who, 'catalog', 'CourseShown', unlisted)).toEqual(takenBack);
      expect(shownTo(who, 'catalog', 'CoursePublished', unlisted)).toBeUndefined();
      for (const type of ['CourseShown', 'CourseUnpublished', 'CourseArchived'])
        for (const mark of ['unseen', 'never_listed'])
          expect(shownTo(who, 'catalog', type, { ...unlisted, [mark]: true })).toBeUndefined();
      expect(shownTo(who, 'catalog', 'CourseUnpublished', { course_id: 'course_1' })).toEqual(takenBack);
    },
  );

  test('S14: staff hears of unlisted courses too, without the mark that says who else has; a school is named by its slug to staff', () => {
    const { type, data } = { type: 'CourseShown', data: { ...course, listed: false } };
    for (const mark of ['unseen', 'never_listed'])
      expect(shownTo(reader('owner'), 'catalog', type, { ...data, [mark]: true })).toEqual({ type, data });
    const place = { slug: 'lantern', name: 'Lantern' };
    expect(shownTo(undefined, 'school', 'SchoolProvisioned', place)?.data).toEqual({ name: 'Lantern' });
    expect(shownTo(reader('member'), 'school', 'SchoolProvisioned', place)?.data).toEqual({ name: 'Lantern' });
    expect(shownTo(reader('admin'), 'school', 'SchoolProvisioned', place)?.data).toEqual(place);
  });

  test('how many seats a course has is seen by owners and admins only', () => {
    const data = { ...course, listed: true, seat_limit: 12 };
    const seats = (role: Role | undefined) =>
      shownTo(role && reader(role), 'catalog', 'CourseShown', data)?.data['seat_limit'];
    expect([undefined, 'member', 'lecturer', 'admin', 'owner'].map((role) => seats(role as Role))).toEqual([
      undefined,
      undefined,
      undefined,
      12,
      12,
    ]);
  });

  test('prices, seats and lecturers of drafts are for owners and admins who may read that area', () => {
    const price = (item_type: string) => ({ item_type, item_id: 'item_1', price_id: 'price_1', amount: 4900 });
    for (const [type, data] of [
      ['PriceSet', price('course')],
      ['PriceRemoved', price('digital_product')],
      ['SeatLimitChanged', { course_id: 'course_1', seat_limit: 3 }],
      ['LecturerAssigned', { course_id: 'course_1', lecturer_id: 'lecturer_1' }],
    ] as const) {
      expect(shownTo(reader('owner'), 'catalog', type, data)).toEqual({ type, data });
      for (const role of ['lecturer', 'member', undefined] as const)
        expect(shownTo(role && reader(role), 'catalog', type, data)).toBeUndefined();
    }
    const onlyCourses = reader('owner', ['courses:read']);
    expect(shownTo(onlyCourses, 'catalog', 'PriceSet', price('course'))).toBeDefined();
    expect(shownTo(onlyCourses, 'catalog', 'PriceSet', price('digital_product'))).toBeUndefined();
  });

  test('members are seen by owners and admins only, without the times that end tokens', () => {
    const data = { member_id: 'mem_2', from: 'member', to: 'admin', by: 'mem_1', tokens_not_before: 'T' };
    const { tokens_not_before: _, ...seen } = data;
    for (const role of ['owner', 'admin'] as const)
      expect(shownTo(reader(role), 'school', 'MemberRoleChanged', data)).toEqual({
        type: 'MemberRoleChanged',
        data: seen,
      });
    for (const role of ['lecturer', 'member'] as const)
      expect(shownTo(reader(role), 'school', 'MemberRoleChanged', data)).toBeUndefined();
  });

  test('a demoted person with a token of before sees no members, whatever its scopes', () => {
    const demoted = { subject: 'mem_1', role: 'member', scopes: new Set<Scope>(['members:read']) } as const;
    expect(shownTo(demoted, 'school', 'MemberJoined', { member_id: 'mem_2', role: 'member' })).toBeUndefined();
  });

  test('a person sees what happens to their own account, and to nobody else’s', () => {
    expect(shownTo(reader('member'), 'auth', 'SessionsEnded', { account_id: 'mem_1', tokens_not_before: 'T' })).toEqual(
      { type: 'SessionsEnded', data: { account_id: 'mem_1' } },
    );
    expect(shownTo(reader('owner'), 'auth', 'SessionsEnded', { account_id: 'mem_2' })).toBeUndefined();
  });

  test('a token without the scope sees less than no token at all: each type needs its scope', () => {
    const data = { ...course, listed: true };
    expect(shownTo(reader('owner', ['members:read']), 'catalog', 'CoursePublished', data)).toBeUndefined();
    expect(shownTo(reader('owner', ['courses:read']), 'catalog', 'CoursePublished', data)).toBeDefined();
  });

  describe('comments', () => {
    const about = { comment_id: 'comment_1', host_type: 'post', host_id: 'post_1' };
    const posted = { ...about, parent_id: null, author_ref: 'mem_2', state: 'visible', public: true };
    const others = [undefined, reader('member'), reader('lecturer')];
    const seen = (who: Reader, type: string, data: object) => shownTo(who, 'content', type, data);

    test('that everybody may read are everybody’s, without their author; the staff sees who wrote them', () => {
      for (const who of others)
        expect(seen(who, 'CommentPosted', posted)).toEqual({
          type: 'CommentPosted',
          data: { ...about, parent_id: null },
        });
      const { public: _public, ...known } = posted;
      expect(seen(reader('admin'), 'CommentPosted', posted)).toEqual({ type: 'CommentPosted', data: known });
      for (const type of ['CommentApproved', 'CommentRestored', 'CommentHidden', 'CommentDeleted'])
        for (const who of others) expect(seen(who, type, { ...about, public: true })).toEqual({ type, data: about });
    });

    test('that others may not read are the staff’s', () => {
      const { public: _public, ...closed } = posted;
      const types = Object.keys(changeRules.content).filter((type) => type.startsWith('Comment'));
      expect(types).toHaveLength(8);
      for (const type of types) {
        for (const who of others) expect(seen(who, type, closed)).toBeUndefined();
        expect(seen(reader('owner'), type, closed)).toEqual({ type, data: closed });
      }
    });

    test('that nobody may read any more are hidden, and only the staff learns why', () => {
      const withdrawn = [
        ['CommentMarkedSpam', { ...about, public: true }],
        ['CommentReported', { ...about, held: true, public: true }],
        ['CommentEdited', { ...about, state: 'pending', public: true }],
        // A release of before does not say how it was judged.
        ['CommentEdited', { ...about, public: true }],
      ] as const;
      for (const [type, data] of withdrawn) {
        for (const who of others) expect(seen(who, type, data)).toEqual({ type: 'CommentHidden', data: about });
        expect(seen(reader('owner'), type, data)?.type).toBe(type);
      }
      const edited = { ...about, state: 'visible', public: true };
      expect(seen(undefined, 'CommentEdited', edited)).toEqual({ type: 'CommentEdited', data: about });
    });

    test('need the scope, where there is a token', () => {
      expect(seen(reader('member', ['posts:read']), 'CommentPosted', posted)).toBeUndefined();
      expect(seen(reader('owner', ['posts:read']), 'CommentPosted', posted)).toBeUndefined();
    });
  });

  test('keys and revocations are for nobody', () => {
    for (const type of internal)
      for (const source of ['auth', 'school'] as const)
        expect(shownTo(reader('owner'), source, type, {})).toBeUndefined();
  });
});
