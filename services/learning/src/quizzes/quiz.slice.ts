import type { Slice } from '@lyceum/service';
import { quizOperations } from './quiz.http.ts';
import { listStudentAttempts } from './quiz.staff.ts';

/** The quizzes of lessons: for those who take them, and what the staff see of that. */
export const quizSlice: Slice = {
  name: 'quizzes',
  operations: (asking) => [...quizOperations(asking), listStudentAttempts(asking)],
};
