import { z } from 'zod';
import { published, subjectEvents } from './declaration.ts';
import { seatRequestFacts } from './seats.ts';
import type { Scope } from '../access/scopes.ts';

const enrollment = {
  enrollment_id: z.string().meta({ description: 'The id of the access, whatever it is to' }),
  member_id: z.string(),
};

const grant = {
  ...enrollment,
  item_type: z.string().meta({ description: 'What access is to: course or digital_product' }),
  item_id: z.string(),
  grant_id: z.string(),
  source_type: z.string().meta({
    description: 'What the grant came from: an order line, a subscription, the staff or the member alone',
  }),
  source_id: z.string(),
};

const course = { ...enrollment, course_id: z.string() };

const expires_at = z.string().nullable().meta({ description: 'RFC 3339; null = for ever' });

const feed = (means: string) =>
  ({ scope: 'students:read' satisfies Scope, shows: 'staff', means, of: 'enrollment_id' }) as const;

/** What the learning service publishes. Access is any grant that is neither revoked nor expired. */
export const learningFacts = {
  ...subjectEvents,
  ...seatRequestFacts,
  AccessGranted: published(
    1,
    z.object({ ...grant, starts_at: z.string().meta({ description: 'RFC 3339: from when on' }), expires_at }),
    { urgent: true, feed: feed('A member was given access to a course or a digital product') },
  ),
  /** A grant lasts until another time. */
  AccessExtended: published(1, z.object({ ...grant, expires_at }), {
    urgent: true,
    feed: feed('The access of a member to a course or a digital product lasts until another time'),
  }),
  /** The grant counts no more, also one that is still to come: other grants of the enrollment stay. */
  AccessRevoked: published(1, z.object({ ...grant, reason: z.string() }), {
    urgent: true,
    feed: feed('A grant of access to a course or a digital product was taken back; others stay'),
  }),
  /** A member got an address to download a file from. */
  DownloadIssued: published(
    1,
    z.object({
      ...enrollment,
      product_id: z.string(),
      file_id: z.string(),
      n: z.number().int().meta({ description: 'Which of the member’s downloads of the product it is, from 1' }),
      used: z.number().int().optional().meta({
        description:
          'The same, counted anew by each grant that finds none that is live, as the limit of the product counts',
      }),
    }),
    { feed: feed('A member downloaded a file of a digital product') },
  ),
  QuizAttempted: published(
    1,
    z.object({
      ...course,
      lesson_id: z.string(),
      attempt: z.number().int().meta({ description: 'From 1, anew after a reset of the progress' }),
      score: z.number().int().meta({ description: 'Per cent of the questions that were answered right' }),
      passed: z.boolean(),
    }),
    { feed: feed('A member attempted a quiz') },
  ),
  /** The member had no access before. */
  EnrollmentActivated: published(
    1,
    z.object({
      ...course,
      source_type: z.string(),
      again: z.boolean().meta({ description: 'Not for the first time' }),
    }),
    { feed: feed('A member has access to a course') },
  ),
  /** The member has no access any more: the last grant was revoked, or expired. */
  EnrollmentLapsed: published(1, z.object({ ...course, reason: z.string() }), {
    feed: feed('A member has access to a course no longer'),
  }),
  /** For the first time, or for the first time after a reset of the progress. */
  LessonStarted: published(1, z.object({ ...course, lesson_id: z.string() }), {
    feed: feed('A member began a lesson'),
  }),
  /** Opens what waits for the lesson. */
  LessonCompleted: published(
    1,
    z.object({
      ...course,
      lesson_id: z.string(),
      completed: z.number().int(),
      required: z.number().int(),
      percent: z.number().int().meta({ description: 'How much of what the course asks for was completed with it' }),
    }),
    { urgent: true, feed: feed('A member completed a lesson') },
  ),
  /** All that the course asked for at the time. It stays so, whatever becomes of the course or of the access. */
  EnrollmentCompleted: published(1, z.object({ ...course, required: z.number().int() }), {
    feed: feed('A member completed a course'),
  }),
  /** The member begins anew: no lesson counts as completed any more. */
  ProgressReset: published(1, z.object(course), {
    urgent: true,
    feed: feed('What a member had completed of a course counts no more'),
  }),
} as const;
