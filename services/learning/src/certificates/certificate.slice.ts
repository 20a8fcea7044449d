import { type PersonalData, type Slice, aggregate, rowsAbout, streamsOf } from '@lyceum/service';
import type { Ports } from '@lyceum/web';
import { certificateEvents } from './certificate.events.ts';
import { certificateIssuing } from './certificate.issuing.ts';
import { verifyCertificate } from './certificate.public.ts';
import { certificateOf, certificateProjection, certificates } from './certificate.rows.ts';
import { staffCertificateOperations } from './certificate.staff.ts';
import { certificateDecider } from './certificate.ts';
import { certificateDocument } from './certificate.view.ts';

const certificateData: PersonalData<Ports> = {
  file: 'certificates',
  read: (of, ports, after) =>
    rowsAbout(ports, of, { collection: certificates, field: 'member_id' }, after, ({ id, body }) => {
      const { view: _view, ...certificate } = certificateDocument(id, certificateOf(body), 'member');
      return certificate;
    }),
};

/** That somebody completed a course: issued by itself, verified by anybody. */
export const certificateSlice: Slice = {
  name: 'certificates',
  operations: (asking) => [verifyCertificate, ...staffCertificateOperations(asking)],
  events: certificateEvents,
  aggregates: [aggregate(streamsOf('certificate_'), certificateDecider)],
  projections: [certificateProjection],
  reactions: [certificateIssuing],
  personalData: [certificateData],
};
