import { execute } from '@lyceum/eventlog';
import { uuidv5 } from '@lyceum/kernel';
import { type Reaction, type Slice, aggregate, streamsOf } from '@lyceum/service';
import { curriculumEvents } from './curriculum.events.ts';
import { answerQuizOfLesson, curriculumFact } from './curriculum.facts.ts';
import { type CurriculumPorts, curriculumOperations } from './curriculum.http.ts';
import { answerHostOfCourse } from './curriculum.hosts.ts';
import { completionProjection } from '../lessons/completions.ts';
import { curriculumDecider, curriculumStream } from './curriculum.ts';
import { accessProjection } from '../lessons/entitlement.ts';

/** The files of a course that is deleted are named by nothing any more. */
const releasingFiles: Reaction = {
  name: 'releasing-files-of-lessons',
  events: ['CourseDeleted'],
  async perform({ tenant, stream: course, at }, { log }) {
    const stream = curriculumStream(course);
    const command = { type: 'ReleaseFiles' } as const;
    const commitId = uuidv5('files-of-deleted-course', tenant, course);
    await execute(log, curriculumDecider, { tenant, stream, command, at, meta: { actor: 'system' }, commitId });
  },
};

/** What courses teach: sections, lessons, and when they open. */
export const curriculumSlice = (given: CurriculumPorts): Slice => ({
  name: 'curriculum',
  operations: curriculumOperations(given),
  events: curriculumEvents,
  follows: [
    { source: 'learning', projection: accessProjection },
    { source: 'learning', projection: completionProjection },
  ],
  aggregates: [aggregate(streamsOf('curriculum_'), curriculumDecider)],
  toFact: curriculumFact,
  reactions: [releasingFiles],
  answers: {
    'quiz-of-lesson': answerQuizOfLesson,
    'host-of-course': (question, ports) => answerHostOfCourse(question, ports, given.loadCourse),
  },
});
