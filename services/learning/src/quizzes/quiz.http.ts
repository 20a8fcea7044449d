import type { AskingPorts } from '@lyceum/service';
import { type Operation, accepted, asOf, attempt, operation } from '@lyceum/web';
import { z } from 'zod';
import { attemptFilters, listAttempts } from '../attempts/attempt.list.ts';
import { attempts } from '../attempts/attempt.rows.ts';
import { attemptBody, attemptReply, attemptsReply, lessonId } from '../attempts/attempt.schema.ts';
import { areAnswersShown, attemptDecider, attemptId, attemptStream } from '../attempts/attempt.ts';
import { attemptDocument } from '../attempts/attempt.view.ts';
import { ownEnrollment } from '../enrollments/enrollment.read.ts';
import { enrollmentId } from '../enrollments/enrollment.schema.ts';
import { attemptRejections, attempting } from './quiz.attempting.ts';

const path = '/api/account/enrollments/{enrollment}/lessons/{lesson}/attempts';
const params = z.object({ enrollment: enrollmentId, lesson: lessonId });
// Nobody sees more of their own attempts for being staff.
const own = { area: 'account', anonymous: false, staff: [], path, params } as const;

const whenShown = 'Which answers are right it tells once the quiz is passed, or no attempt is left.';

/** Grades an attempt of the token's member at a quiz. */
const attemptQuiz = (asking: AskingPorts): Operation =>
  operation({
    ...own,
    scope: 'account:write',
    id: 'attemptQuiz',
    method: 'POST',
    summary: 'Attempt a quiz',
    description: `The quiz of a lesson that is open to you, as it is read in the curriculum. Graded at once: a question is right when all right choices are taken and no other. An attempt that reaches the pass mark completes the lesson; without a pass mark any attempt does. ${whenShown}`,
    body: attemptBody,
    status: 201,
    reply: attemptReply,
    errors: [
      'attempts_exhausted',
      'invalid_state',
      'locked_lesson',
      'not_entitled',
      'not_found',
      'temporarily_unavailable',
    ],
    async handle(call, ports) {
      const { enrollment } = await ownEnrollment(call, ports);
      const { enrollment: enrollment_id, lesson: lesson_id } = call.params;
      const round = enrollment.resets;
      const stream = attemptStream({ enrollment_id, lesson_id, round });
      const command = attempting(call, { ...ports, ...asking }, { answers: call.body.answers, round });
      const done = accepted(await attempt(call, ports, attemptDecider, stream, command), attemptRejections);
      const { last } = done.state;
      if (!last) throw new Error('an accepted attempt left none');
      const showing = { view: 'member', answersShown: areAnswersShown(done.state) } as const;
      return {
        body: attemptDocument(attemptId(done.stream, last.attempt), last, showing),
        observed: asOf(done).observed,
      };
    },
  });

/** Lists the attempts of the token's member at a quiz. */
const listOwnAttempts = operation({
  ...own,
  scope: 'account:read',
  id: 'listOwnAttempts',
  method: 'GET',
  summary: 'List your attempts at a quiz',
  description: `Newest first. ${whenShown} The list follows writes with a short delay: see Consistency-Token.`,
  readModel: attempts,
  query: z.strictObject(attemptFilters),
  status: 200,
  reply: attemptsReply,
  errors: ['not_found'],
  async handle(call, ports) {
    await ownEnrollment(call, ports);
    const { enrollment, lesson } = call.params;
    return listAttempts(call, ports, [
      { field: 'enrollment_id', is: enrollment },
      { field: 'lesson_id', is: lesson },
    ]);
  },
});

/** The operations of members on the quizzes of their lessons. */
export const quizOperations = (asking: AskingPorts): readonly Operation[] => [attemptQuiz(asking), listOwnAttempts];
