import { execute } from '@lyceum/eventlog';
import { uuidv5 } from '@lyceum/kernel';
import type { ModulePorts } from '@lyceum/service';
import { attemptDecider, attemptStream } from '../attempts/attempt.ts';
import { certificateDecider, certificateStream } from '../certificates/certificate.ts';
import { issueCertificate } from '../certificates/certificate.issuing.ts';
import { learningPath } from '../courses/known-outlines.ts';
import { type CourseLesson, type LearningPath, needsAttempt, nextLesson } from '../courses/learning-path.ts';
import { type EnrollmentCommand, enrollmentDecider } from '../enrollments/enrollment.ts';
import { attempting } from '../quizzes/quiz.attempting.ts';
import { quizOfLesson } from '../quizzes/quiz.catalog.ts';
import type { DemoAnswers, DemoProgress } from './demo-learners.ts';

/** What the demo of this service needs. */
export type DemoPorts = Pick<ModulePorts, 'log' | 'documents' | 'clock' | 'ids' | 'ask' | 'logger'>;

/** Whose learning of what is to be written. */
export interface DemoEnrollment {
  readonly school: string;
  readonly enrollment: string;
  readonly member_id: string;
  readonly course_id: string;
  /** RFC 3339 UTC: when access began. */
  readonly since: string;
  readonly learnt: DemoProgress;
}

/** A lesson that somebody learns, and when. */
interface Step {
  readonly lesson: CourseLesson;
  readonly at: string;
}

const [minute, day] = [60_000, 86_400_000];
/** Days in which the longest course of the demo is learnt. */
const longest = 60;

const later = (at: string, by: number): string => new Date(Date.parse(at) + by).toISOString();

/** Day by day the lesson that is next and open; the last one is only begun. It follows from the course alone. */
function stepsOf(path: LearningPath, { since, learnt }: Pick<DemoEnrollment, 'since' | 'learnt'>) {
  const completed = new Set<string>();
  const steps: Step[] = [];
  for (let days = 1; days <= longest && steps.length <= learnt.lessons; days += 1) {
    const at = later(since, days * day);
    const lesson = nextLesson(path, { started_at: since, completed }, at);
    if (!lesson) continue;
    steps.push({ lesson, at });
    completed.add(lesson.id);
    if (needsAttempt(lesson) && learnt.attempts?.at(-1) === 'wrong') break;
  }
  return { done: steps.slice(0, learnt.lessons), next: steps[learnt.lessons] };
}

/**
 * Writes what somebody has learnt, by the commands that clients use. Throws while the course, or a service that knows more
 * of it, is not known. What people have changed since is left alone: a command that is rejected is not repeated.
 */
export async function learnAsInDemo(ports: DemoPorts, demo: DemoEnrollment): Promise<void> {
  const { school, course_id, learnt } = demo;
  const path = await learningPath(ports, school, course_id);
  if (path.lessons.length === 0) throw new Error('the lessons of the course are not known yet');
  const { done, next } = stepsOf(path, demo);
  for (const step of done)
    await (needsAttempt(step.lesson) ? attempt(ports, demo, step) : note(ports, demo, path, step));
  if (next && learnt.begun !== undefined) await note(ports, demo, path, next, learnt.begun);
  if (learnt.certificateRevoked) await revokeCertificate(ports, demo, done.at(-1)?.at ?? demo.since);
}

const system = { meta: { actor: 'system' } } as const;

/** Completes a lesson, or begins it where a position is given. */
async function note({ log }: DemoPorts, demo: DemoEnrollment, path: LearningPath, step: Step, position_s?: number) {
  const { school: tenant, enrollment: stream, member_id, course_id } = demo;
  const about = { member_id, course_id, lesson_id: step.lesson.id, path, now: step.at };
  const command: EnrollmentCommand =
    position_s === undefined
      ? { type: 'CompleteLesson', passed: false, ...about }
      : { type: 'StartLesson', position_s, ...about };
  const commitId = uuidv5('demo-lesson', command.type, stream, step.lesson.id);
  await execute(log, enrollmentDecider, { tenant, stream, command, commitId, at: step.at, ...system });
}

/** Answers a quiz as often as it is told, ten minutes apart. */
async function attempt(ports: DemoPorts, demo: DemoEnrollment, { lesson, at: first }: Step): Promise<void> {
  const { school, enrollment, member_id, course_id, learnt } = demo;
  const quiz = await quizOfLesson(ports, { school, course: course_id, lesson: lesson.id });
  if (!quiz) return;
  const chosen = (how: DemoAnswers) =>
    Object.fromEntries(
      quiz.questions.map(({ id, choices, answers }) => [
        id,
        how === 'right' ? answers : choices.filter((choice) => !answers.includes(choice)),
      ]),
    );
  for (const [index, answered] of (learnt.attempts ?? ['right']).entries()) {
    const at = later(first, index * 10 * minute);
    const params = { enrollment, lesson: lesson.id };
    const stream = attemptStream({ enrollment_id: enrollment, lesson_id: lesson.id, round: 0 });
    const asked = { school, principal: { subject: member_id }, at, params };
    const command = attempting(asked, ports, { answers: chosen(answered), round: 0 });
    const commitId = uuidv5('demo-attempt', stream, index);
    await execute(ports.log, attemptDecider, { tenant: school, stream, command, commitId, at, ...system });
  }
}

/** Takes back the certificate, which may not have been issued yet: it is issued once, by whoever is first. */
async function revokeCertificate(ports: DemoPorts, demo: DemoEnrollment, at: string): Promise<void> {
  const { school: tenant, enrollment, member_id: member, course_id: course } = demo;
  await issueCertificate(ports, { school: tenant, enrollment, member, course, at });
  const stream = certificateStream(enrollment);
  const commitId = uuidv5('demo-certificate', 'RevokeCertificate', stream);
  const now = new Date(ports.clock.now()).toISOString();
  await execute(ports.log, certificateDecider, {
    tenant,
    stream,
    command: { type: 'RevokeCertificate' },
    commitId,
    at: now,
    ...system,
  });
}
