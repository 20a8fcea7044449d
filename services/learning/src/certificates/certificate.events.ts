import { type EventOf, type EventTypes, personal } from '@lyceum/kernel';
import { z } from 'zod';

const id = z.string();
const about = { enrollment_id: id, member_id: id };

/** The facts of a certificate: what stands in it is as it was when the course was completed. */
export const certificateEvents = {
  CertificateIssued: {
    version: 1,
    data: z.object({
      ...about,
      course_id: id,
      /** By which anybody finds it: whoever has not seen the certificate cannot guess it. */
      code: z.string(),
      name: personal(z.string(), 'member_id'),
      /** Of the course. */
      title: z.string(),
      /** The day in the calendar of the school, YYYY-MM-DD. */
      completed_on: z.string(),
    }),
  },
  /** It was issued wrongly, and counts no more. */
  CertificateRevoked: { version: 1, data: z.object(about) },
} as const satisfies EventTypes;

/** An event of a certificate. */
export type CertificateEvent = EventOf<typeof certificateEvents>;

/** What stands in a certificate. The name is null once the person is erased. */
export type CertificateIssued = Extract<CertificateEvent, { type: 'CertificateIssued' }>['data'];
