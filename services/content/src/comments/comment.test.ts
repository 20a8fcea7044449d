import { describe, expect, test } from '@jest/globals';
import { isRejection } from '@lyceum/kernel';
import { given } from '@lyceum/testkit';
import fc from 'fast-check';
import type { CommentEvent } from './comment.events.ts';
import { type CommentState, isGone } from './comment.state.ts';
import { type CommentCommand, type NewComment, commentDecider, editingTime, moderationActions } from './comment.ts';

const host = { host_type: 'course', host_id: 'course_1' } as const;
const by = 'acc_1';
const score = { spam_score: 0, spam_signs: [] };
const author_id = 'account_ada';

const comment = (state: NewComment['state'] = 'visible'): NewComment => ({
  ...host,
  course_id: 'course_1',
  parent_id: null,
  author_id,
  body: 'How thick is the paper?',
  ip_hash: 'abc',
  state,
  ...score,
});

const posted = (state?: NewComment['state']): CommentEvent => ({ type: 'CommentPosted', data: comment(state) });
const hidden: CommentEvent = { type: 'CommentHidden', data: { ...host, by } };
const approved: CommentEvent = { type: 'CommentApproved', data: { ...host, by } };
const deleted: CommentEvent = { type: 'CommentDeleted', data: { ...host, was: 'visible', by: author_id } };
const reportedBy = (member_id: string, held = false): CommentEvent => ({
  type: 'CommentReported',
  data: { ...host, member_id, reason: 'spam', held },
});
const moderate = (action: (typeof moderationActions)[number]) =>
  ({ type: 'ModerateComment', action, by, isPublic: false }) as const;
const report = (member_id: string) => ({ type: 'ReportComment', member_id, reason: 'spam', isPublic: false }) as const;
const remove = (who: string) => ({ type: 'DeleteComment', by: who, isPublic: false }) as const;

describe('a comment', () => {
  test('is posted once', () => {
    const command = { type: 'PostComment', comment: comment(), isPublic: false } as const;
    given(commentDecider).when(command).then(posted());
    given(commentDecider, posted()).when(command).rejected('invalid_state');
  });

  test('is moderated from where each action leads, and again it changes nothing', () => {
    given(commentDecider, posted('pending')).when(moderate('approve')).then(approved);
    given(commentDecider, posted('spam')).when(moderate('approve')).then(approved);
    given(commentDecider, posted()).when(moderate('hide')).then(hidden);
    given(commentDecider, posted(), hidden)
      .when(moderate('restore'))
      .then({ type: 'CommentRestored', data: { ...host, by } });
    for (const was of ['visible', 'pending'] as const)
      given(commentDecider, posted(was))
        .when(moderate('spam'))
        .then({ type: 'CommentMarkedSpam', data: { ...host, was, by } });
    given(commentDecider, posted()).when(moderate('approve')).unchanged();
    given(commentDecider, posted(), hidden).when(moderate('hide')).unchanged();
    for (const [state, action] of [
      [[posted(), hidden], 'approve'],
      [[posted(), hidden], 'spam'],
      [[posted('pending')], 'hide'],
      [[posted('spam')], 'hide'],
      [[posted('pending')], 'restore'],
    ] as const)
      given(commentDecider, ...state)
        .when(moderate(action))
        .rejected('invalid_state');
  });

  test('is held when three members have reported it, each once, and not by its author', () => {
    const two = given(commentDecider, posted(), reportedBy('a'), reportedBy('b'));
    two.when(report('b')).unchanged();
    two.when(report('c')).then(reportedBy('c', true));
    given(commentDecider, posted()).when(report('a')).then(reportedBy('a'));
    given(commentDecider, posted()).when(report(author_id)).rejected('invalid_state');
    given(commentDecider, posted(), hidden).when(report('a')).rejected('not_found');
  });

  test('that the staff have looked at is not held by reports again', () => {
    const looked = given(commentDecider, posted(), reportedBy('a'), reportedBy('b'), reportedBy('c', true), approved);
    looked.when(report('d')).then(reportedBy('d'));
  });

  test('keeps twenty reports at most', () => {
    const many = Array.from({ length: 20 }, (_, at) => reportedBy(`m${at}`));
    given(commentDecider, posted(), approved, ...many)
      .when(report('another'))
      .unchanged();
  });

  test('says nothing once it is deleted, or its author is erased, and can only be deleted then', () => {
    given(commentDecider, posted()).when(remove(author_id)).then(deleted);
    const gone = given(commentDecider, posted(), deleted);
    const erased = given(commentDecider, { type: 'CommentPosted', data: { ...comment(), body: null, ip_hash: null } });
    for (const each of [gone, erased]) {
      each.when(moderate('hide')).rejected('not_found');
      each.when(report('a')).rejected('not_found');
    }
    gone.when(remove('system')).unchanged();
    erased.when(remove('system')).then({ ...deleted, data: { ...deleted.data, by: 'system' } });
  });

  const at = '2026-01-05T08:00:00.000Z';
  const folded = (...events: readonly CommentEvent[]): CommentState =>
    events.reduce<CommentState>(
      (state, event, index) => commentDecider.evolve(state, event, { at, version: index + 1 }),
      null,
    );
  const later = (milliseconds: number) => new Date(Date.parse(at) + milliseconds).toISOString();
  const edit = (state: NewComment['state'], now: string, body = 'How thick is your paper?') =>
    ({ type: 'EditComment', edit: { body, state, ...score }, now, isPublic: false }) as const;
  const edited = (was: 'visible' | 'pending', state: NewComment['state']) => [
    {
      type: 'CommentEdited',
      data: { ...host, author_id, body: 'How thick is your paper?', was, state, ...score },
    },
  ];

  test('is changed for 15 minutes, unless the staff has taken it away', () => {
    const decide = (state: CommentState, command: CommentCommand) => commentDecider.decide(command, state);
    expect(decide(folded(posted()), edit('visible', later(editingTime)))).toEqual(edited('visible', 'visible'));
    expect(decide(folded(posted()), edit('spam', at))).toEqual(edited('visible', 'spam'));
    expect(decide(folded(posted('pending')), edit('visible', at))).toEqual(edited('pending', 'pending'));
    expect(decide(folded(posted()), edit('visible', at, comment().body))).toEqual([]);
    for (const refused of [
      decide(folded(posted()), edit('visible', later(editingTime + 1))),
      decide(folded(posted(), hidden), edit('visible', at)),
      decide(folded(posted('spam')), edit('visible', at)),
    ])
      expect(refused).toMatchObject({ rejected: 'invalid_state' });
  });

  const publicly = <Event extends CommentEvent>(event: Event): Event => ({
    ...event,
    data: { ...event.data, public: true },
  });
  const shown = publicly(posted());

  test('of what everybody may read its events say that everybody sees it, and that they do no longer', () => {
    const asPublic = <Command extends CommentCommand>(command: Command) => ({ ...command, isPublic: true });
    given(commentDecider).when({ type: 'PostComment', comment: comment(), isPublic: true }).then(shown);
    given(commentDecider, shown)
      .when(asPublic(moderate('hide')))
      .then(publicly(hidden));
    given(commentDecider, shown, publicly(hidden))
      .when(asPublic(moderate('restore')))
      .then({ type: 'CommentRestored', data: { ...host, by, public: true } });
    given(commentDecider, posted('pending'))
      .when(asPublic(moderate('approve')))
      .then(publicly(approved));
    const two = given(commentDecider, shown, reportedBy('a'), reportedBy('b'));
    two.when(asPublic(report('c'))).then(publicly(reportedBy('c', true)));
    given(commentDecider, shown)
      .when(asPublic(report('a')))
      .then(reportedBy('a'));
  });

  test('of what waits or is spam nobody else is told', () => {
    for (const state of ['pending', 'spam'] as const)
      given(commentDecider)
        .when({ type: 'PostComment', comment: comment(state), isPublic: true })
        .then(posted(state));
    const spam = { ...moderate('spam'), isPublic: true };
    given(commentDecider, posted('pending'))
      .when(spam)
      .then({ type: 'CommentMarkedSpam', data: { ...host, was: 'pending', by } });
  });

  test('those who were told of it are told of its end, also when what it is about is public no longer', () => {
    given(commentDecider, shown).when(remove(author_id)).then(publicly(deleted));
    given(commentDecider, shown, publicly(hidden))
      .when(remove(author_id))
      .then({ ...deleted, data: { ...deleted.data, was: 'hidden' } });
  });

  test('whatever is asked of it goes through its states as they lead to each other (5,000)', () => {
    const leads: Readonly<Record<string, readonly string[]>> = {
      '': ['visible', 'pending', 'spam'],
      visible: ['visible', 'pending', 'hidden', 'spam', 'deleted'],
      pending: ['pending', 'visible', 'spam', 'deleted'],
      hidden: ['hidden', 'visible', 'deleted'],
      spam: ['spam', 'visible', 'deleted'],
      deleted: ['deleted'],
    };
    const state = fc.constantFrom('visible' as const, 'pending' as const, 'spam' as const);
    const request = fc.oneof(
      state.map((each) => ({ type: 'PostComment' as const, comment: comment(each), isPublic: false })),
      fc.record({ state, late: fc.boolean(), body: fc.constantFrom('a', 'b') }).map(({ late, body, ...each }) => ({
        type: 'EditComment' as const,
        edit: { body, ...each, ...score },
        now: late ? later(2 * editingTime) : at,
        isPublic: false,
      })),
      fc.constantFrom(...moderationActions).map(moderate),
      fc.constantFrom('a', 'b', 'c', 'd', author_id).map(report),
      fc.constant(remove(by)),
    );
    const command = fc
      .tuple(request, fc.boolean())
      .map(([asked, isPublic]): CommentCommand => ({ ...asked, isPublic }));
    fc.assert(
      fc.property(fc.array(command, { maxLength: 20 }), (commands) => {
        let [now, version]: [CommentState, number] = [null, 0];
        for (const each of commands) {
          const before = now;
          const decision = commentDecider.decide(each, now);
          if (isRejection(decision)) continue;
          for (const event of decision) now = commentDecider.evolve(now, event, { at, version: (version += 1) });
          expect(decision.length).toBeLessThanOrEqual(1);
          expect(leads[before?.state ?? '']).toContain(now?.state);
          if (before?.state === 'deleted') expect(now).toBe(before);
          if (now?.state === 'deleted') expect([isGone(now), now.body]).toEqual([true, '']);
          expect(now?.wasSeen).toBe(before?.wasSeen === true || now?.state === 'visible');
          const { public: isMarked } = decision[0]?.data ?? {};
          const [was, is] = [before, now].map((each) => each?.state === 'visible');
          // Everybody is told of what they can read or could read before, and of nothing else.
          if (decision[0]) expect(now?.isPublic).toBe(is && (before?.isPublic === true || isMarked === true));
          if (isMarked) expect((was || is) && (each.isPublic || before?.isPublic)).toBe(true);
          if (before?.isPublic && !is && was) expect(isMarked).toBe(true);
          const reporters = now?.reports.map(({ member_id }) => member_id) ?? [];
          expect(new Set(reporters).size).toBe(reporters.length);
          expect(reporters).not.toContain(author_id);
        }
      }),
      { numRuns: 5_000 },
    );
  });
});
