import { membersOf, staff } from '@lyceum/service';
import { z } from 'zod';

const { first, last } = membersOf('certificate', 'certificate');

/** What anybody may know of a certificate. */
const verified = {
  code: z.string().meta({ example: '7ZK3M-9Q2RT-0VXA4-HJ6PC' }),
  name: z.string().meta({ description: 'Of the person who completed the course, as it was then.' }),
  course_title: z.string().meta({ description: 'As it was then.' }),
  completed_on: z.iso.date().meta({ description: 'In the calendar of the school.' }),
  issued_at: z.iso.datetime(),
  valid: z.boolean().meta({ description: 'false = the school has revoked it.' }),
  revoked_at: z.iso.datetime().nullable(),
};

/** A certificate as anybody reads it who has its code. */
export const verifiedReply = z
  .object({ object: z.literal('verified_certificate'), ...verified })
  .meta({ id: 'VerifiedCertificate', description: 'That somebody completed a course of this school.' });

/** A certificate as its holder and the staff read it. */
export const certificateReply = z
  .object({
    ...first,
    enrollment_id: z.string(),
    course_id: z.string(),
    member_id: z.string().meta(staff),
    ...verified,
    url: z.string().meta({
      description: 'Where anybody can verify it, and it can be printed: at the host of the school.',
      example: '/certificates/7ZK3M-9Q2RT-0VXA4-HJ6PC',
    }),
    ...last,
  })
  .meta({ id: 'Certificate', description: 'That a member completed a course.' });

/** The code of a path. */
export const codeParams = z.object({
  code: z
    .string()
    .min(1)
    .max(40)
    .meta({ description: 'The code of the certificate: in any case, with hyphens or without.' }),
});

/** A certificate of a path. */
export const certificateId = z
  .string()
  .regex(/^certificate_[0-9a-f-]{36}$/)
  .meta({ description: 'Id of the certificate.' });
