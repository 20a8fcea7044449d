import { type Slice, aggregate, streamsOf } from '@lyceum/service';
import { certificateEvents } from './certificate.events.ts';
import { certificateIssuing } from './certificate.issuing.ts';
import { verifyCertificate } from './certificate.public.ts';
import { certificateProjection } from './certificate.rows.ts';
import { staffCertificateOperations } from './certificate.staff.ts';
import { certificateDecider } from './certificate.ts';

/** That somebody completed a course: issued by itself, verified by anybody. */
export const certificateSlice: Slice = {
  name: 'certificates',
  operations: (asking) => [verifyCertificate, ...staffCertificateOperations(asking)],
  events: certificateEvents,
  aggregates: [aggregate(streamsOf('certificate_'), certificateDecider)],
  projections: [certificateProjection],
  reactions: [certificateIssuing],
};
