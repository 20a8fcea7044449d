import { uuidv5 } from '@lyceum/kernel';

/** The id of the demo school with this slug: always the same, so every service can derive it. */
export const demoSchoolId = (slug: string): string => `school_${uuidv5('demo-school', slug)}`;

/** The id of the account and member of a demo school whose address begins like this, e.g. `owner`. */
export const demoAccountId = (school: string, local: string): string =>
  `account_${uuidv5('demo-account', school, local)}`;

/** The id of the course of a demo school with this slug. */
export const demoCourseId = (school: string, slug: string): string => `course_${uuidv5('demo-course', school, slug)}`;

/** The id of the digital product of a demo school with this slug. */
export const demoProductId = (school: string, slug: string): string =>
  `product_${uuidv5('demo-product', school, slug)}`;

/** The id of the lecturer of a demo school with this slug. */
export const demoLecturerId = (school: string, slug: string): string =>
  `lecturer_${uuidv5('demo-lecturer', school, slug)}`;

/** The id of the lesson of a demo course with this title. */
export const demoLessonId = (course: string, title: string): string => `lesson_${uuidv5('demo-lesson', course, title)}`;

/** The id of the membership plan of a demo school with this slug. */
export const demoPlanId = (school: string, slug: string): string => `plan_${uuidv5('demo-plan', school, slug)}`;
