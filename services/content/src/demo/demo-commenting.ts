import { demoCourseId, demoLessonId } from '@lyceum/contracts';
import { uuidv5 } from '@lyceum/kernel';
import { likeDecider, likeStream } from '../comment-likes/like.ts';
import { type CommentRequest, type NewComment, commentDecider } from '../comments/comment.ts';
import { doubtful, spam, spamScore } from '../spam/spam.ts';
import { addressHash } from '../spam/visitor-address.ts';
import { type DemoComment, type DemoHost, demoThreads } from './texts/demo-comments.ts';
import { demoPosts } from './texts/demo-posts.ts';
import { demoPostId } from './demo-publishing.ts';
import { type DemoSchool, type DemoWriting, later } from './demo-writing.ts';

/** A comment, when it was written, and the one that it answers. */
interface Written {
  readonly comment: DemoComment;
  readonly on: DemoHost;
  readonly at: string;
  readonly parent: string | null;
}

/** The id of a comment of the demo: always the same. */
const commentId = (school: string, { comment: { by }, at }: Written): string =>
  `comment_${uuidv5('demo-comment', school, by, at)}`;

function hostOf(school: string, on: DemoHost) {
  if ('post' in on) return { host_type: 'post', host_id: demoPostId(school, on.post), course_id: null } as const;
  const course_id = demoCourseId(school, on.course);
  if (!('lesson' in on)) return { host_type: 'course', host_id: course_id, course_id } as const;
  return { host_type: 'lesson', host_id: demoLessonId(course_id, on.lesson), course_id } as const;
}

/** Whether everybody may read what a comment of the demo is about: its lessons are for those who learn. */
function isPublic({ slug }: DemoSchool, on: DemoHost): boolean {
  if (!('post' in on)) return !('lesson' in on);
  const post = demoPosts[slug]?.find(({ body }) => body.slug === on.post);
  return (post?.body.visibility ?? 'public') === 'public';
}

/** All comments of a school in the order in which they were written. */
function commentsOf({ id, slug }: DemoSchool): readonly Written[] {
  const all = (demoThreads[slug] ?? []).flatMap(({ on, since, comments }) =>
    comments.flatMap((comment, day): Written[] => {
      const first: Written = { comment, on, at: later(since, day * 24), parent: null };
      const answers = (comment.answers ?? []).map((answer, index): Written => {
        return { comment: answer, on, at: later(first.at, 3 * (index + 1)), parent: commentId(id, first) };
      });
      return [first, ...answers];
    }),
  );
  return all.toSorted((one, other) => (one.at < other.at ? -1 : 1));
}

const staff: ReadonlySet<string> = new Set(['owner', 'admin', 'lecturer', 'second.lecturer']);

/** What became of what somebody wrote: the first comment of a member waits, and what looks like spam is not shown. */
function judged(by: string, body: string, isKnown: boolean): Pick<NewComment, 'state' | 'spam_score' | 'spam_signs'> {
  if (staff.has(by)) return { state: 'visible', spam_score: 0, spam_signs: [] };
  const { score, signs } = spamScore({ texts: [body] });
  const state = score >= spam ? 'spam' : score >= doubtful || !isKnown ? 'pending' : 'visible';
  return { state, spam_score: score, spam_signs: [...signs] };
}

/** What follows once it is written, and how many hours later. */
function fatesOf(
  school: DemoSchool,
  { comment, at }: Written,
  state: NewComment['state'],
): readonly (readonly [number, CommentRequest])[] {
  const { by, edited, fate } = comment;
  const moderator = school.account('admin');
  const moderate = (action: 'approve' | 'hide' | 'spam') =>
    [2, { type: 'ModerateComment', action, by: moderator }] as const;
  if (state === 'spam' || fate === 'waits') return [];
  if (fate === 'spam') return [moderate('spam')];
  const edit = (body: string) => {
    const now = later(at, 0.1);
    return [0.1, { type: 'EditComment', now, edit: { ...judged(by, body, true), body, state } }] as const;
  };
  return [
    ...(edited === undefined ? [] : [edit(edited)]),
    ...(state === 'pending' ? [moderate('approve')] : []),
    ...(comment.reports ?? []).map(([member, reason], index) => {
      return [4 + index, { type: 'ReportComment', member_id: school.account(member), reason }] as const;
    }),
    ...(fate === 'hidden' ? [[20, moderate('hide')[1]] as const] : []),
    ...(fate === 'deleted' ? [[26, { type: 'DeleteComment', by: school.account(by) }] as const] : []),
  ];
}

/** Writes a comment with what became of it. Whether others saw it. */
async function write(school: DemoSchool, writing: DemoWriting, written: Written, isKnown: boolean): Promise<boolean> {
  const { comment, on, at, parent: parent_id } = written;
  const { by, text: body } = comment;
  const stream = commentId(school.id, written);
  const author_id = school.account(by);
  // An address that stands in documents only, another one for each of them.
  const ip_hash = await addressHash(school.ports.vault, school.id, `203.0.113.${by.length * 7}`);
  const verdict = judged(by, body, isKnown);
  const posted: NewComment = { ...hostOf(school.id, on), parent_id, author_id, body, ip_hash, ...verdict };
  const about = { isPublic: isPublic(school, on) };
  const command = { ...about, type: 'PostComment', comment: posted } as const;
  if (!(await writing.do(commentDecider, { stream, at, command }))) return false;
  let wasSeen = verdict.state === 'visible';
  for (const [index, [hours, fate]] of fatesOf(school, written, verdict.state).entries()) {
    const step = { stream, at: later(at, hours), command: { ...about, ...fate }, step: `${index} ${fate.type}` };
    const done = await writing.do(commentDecider, step);
    if (!done) break;
    wasSeen ||= done.state === 'visible';
  }
  for (const member of comment.likes ?? []) {
    const member_id = school.account(member);
    const like = { type: 'LikeComment', comment_id: stream, member_id } as const;
    await writing.do(likeDecider, { stream: likeStream(stream, member_id), at: later(at, 30), command: like });
  }
  return wasSeen;
}

/** Writes what people say at a demo school: nothing of who is erased by now, and no answers to that. */
export async function discuss(school: DemoSchool): Promise<void> {
  const all = commentsOf(school);
  const left = new Set<string>();
  for (const { comment } of all) if (await school.isErased(comment.by)) left.add(comment.by);
  await school.write(async (writing) => {
    const [known, seen] = [new Set<string>(), new Set<string>()];
    for (const written of all) {
      const { comment, parent } = written;
      if (left.has(comment.by) || (parent !== null && !seen.has(parent))) continue;
      if (!(await write(school, writing, written, known.has(comment.by)))) continue;
      known.add(comment.by);
      seen.add(commentId(school.id, written));
    }
  });
}
