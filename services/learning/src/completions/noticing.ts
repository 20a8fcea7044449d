import type { Incoming } from '@lyceum/documents';
import { execute } from '@lyceum/eventlog';
import { isoTime, uuidv5 } from '@lyceum/kernel';
import type { ModulePorts, Reaction } from '@lyceum/service';
import { isOutlineFact, learningPath, outlineVersion } from '../courses/known-outlines.ts';
import { type LearningPath, progressIn } from '../courses/learning-path.ts';
import { enrollmentOf, enrollments } from '../enrollments/enrollment.rows.ts';
import { completedLessons } from '../enrollments/enrollment.state.ts';
import { enrollmentDecider } from '../enrollments/enrollment.ts';

type NoticingPorts = Pick<ModulePorts, 'documents' | 'log' | 'clock'>;

const page = 200;

/** The enrollments in a course whose members have completed something, but not the course, and by now all that it asks for. */
async function* completedBy({ documents }: NoticingPorts, school: string, course: string, path: LearningPath) {
  const where = [
    { field: 'course_id', is: course },
    { field: 'percent', above: 0 },
  ];
  for (let after: string | undefined, more = true; more;) {
    const from = after === undefined ? {} : { after: { value: null, id: after } };
    const found = await documents.query(enrollments, school, { where, limit: page, ...from });
    for (const { id, body } of found.items) {
      const enrollment = enrollmentOf(body);
      if (enrollment.completed_at === null && progressIn(path, completedLessons(enrollment)).percent === 100)
        yield { id, member_id: enrollment.member_id };
    }
    more = found.more;
    after = found.items.at(-1)?.id;
  }
}

/**
 * Notices those for whom a course is completed, as it is now, after an integration event about its lessons. Throws while
 * the outline does not have that event: it is tried again.
 */
async function notice(fact: Incoming, ports: NoticingPorts): Promise<void> {
  // What makes no lesson go, nor count less, completes nothing for anybody.
  if (!isOutlineFact(fact) || (fact.type === 'LessonChanged' && fact.data.required)) return;
  const { tenant, stream, version } = fact;
  const { course_id } = fact.data;
  if ((await outlineVersion(ports, tenant, course_id)) < version)
    throw new Error('the outline of the course is behind');
  const path = await learningPath(ports, tenant, course_id);
  for await (const { id, member_id } of completedBy(ports, tenant, course_id, path)) {
    const at = isoTime(ports.clock.now());
    await execute(ports.log, enrollmentDecider, {
      tenant,
      stream: id,
      command: { type: 'NoticeCompletion', member_id, course_id, path, now: at },
      commitId: uuidv5('completion-noticed', tenant, id, stream, String(version)),
      at,
      meta: { actor: 'system' },
    });
  }
}

/** Completes a course for those who have done all that it still asks for, when it asks for less. */
export const noticingReaction: Reaction = {
  name: 'completions',
  source: 'catalog',
  events: ['LessonUnpublished', 'LessonRemoved', 'LessonChanged', 'SectionRemoved'],
  perform: notice,
};
