import { fold } from '@lyceum/eventlog';
import { type AskingPorts, heads } from '@lyceum/service';
import {
  type Call,
  type Operation,
  type Ports,
  Problem,
  type StatusTable,
  accepted,
  asOf,
  attempt,
  operation,
} from '@lyceum/web';
import { z } from 'zod';
import { readerOf } from '../students/student.reading.ts';
import { studentParams } from '../students/student.schema.ts';
import { certificateId, certificateReply } from './certificate.schema.ts';
import type { Certificate } from './certificate.state.ts';
import { type CertificateCode, certificateDecider } from './certificate.ts';
import { certificateDocument } from './certificate.view.ts';

const path = '/api/students/{student}/certificates/{certificate}';
const params = z.object({ ...studentParams.shape, certificate: certificateId });
const about = { area: 'students', path, params, reply: certificateReply, status: 200 } as const;

/** What each rejection means over HTTP; the error table of the contracts says the same. */
export const certificateRejections = {
  not_found: 404,
  invalid_state: 409,
} as const satisfies StatusTable<CertificateCode>;

type OfStudent = Pick<Call, 'school'> & { readonly params: z.output<typeof params> };

/** The certificate that a path names, as of now. Throws 404 when the student has none of that id, or was erased. */
async function certificateOfStudent(
  { school, params: { student, certificate } }: OfStudent,
  { log }: Pick<Ports, 'log'>,
) {
  const found = await fold(log, certificateDecider, school, certificate);
  const { state } = found;
  if (state?.member_id !== student || state.name === null) throw new Problem('not_found');
  return { ...found, certificate: state };
}

const reply = (id: string, certificate: Certificate, found: Parameters<typeof asOf>[0]) => ({
  body: certificateDocument(id, certificate, 'staff'),
  ...asOf(found),
});

/** Reads a certificate of a student. */
const getStudentCertificate = (asking: AskingPorts): Operation =>
  operation({
    ...about,
    id: 'getStudentCertificate',
    method: 'GET',
    scope: 'students:read',
    anonymous: true,
    roles: ['owner', 'admin', 'lecturer'],
    summary: 'Read a certificate of a student',
    description: 'As of now. Lecturers read those of their own courses.',
    errors: ['not_found', 'temporarily_unavailable'],
    async handle(call, ports) {
      if (!call.principal) throw new Problem('not_found');
      const { certificate, ...found } = await certificateOfStudent(call, ports);
      const { courses } = await readerOf(call, asking);
      if (!(courses?.includes(certificate.course_id) ?? true)) throw new Problem('not_found');
      return reply(call.params.certificate, certificate, found);
    },
  });

/** Lets a certificate count no more. */
const revokeCertificate = operation({
  ...about,
  id: 'revokeCertificate',
  method: 'POST',
  path: `${path}/revoke`,
  scope: 'students:write',
  anonymous: false,
  roles: heads,
  summary: 'Revoke a certificate',
  description:
    'For good: whoever verifies it is told so. The enrollment stays completed, and gets no other certificate.',
  ifMatch: 'accepted',
  errors: ['not_found'],
  async handle(call, ports) {
    await certificateOfStudent(call, ports);
    const { certificate: stream } = call.params;
    const done = accepted(
      await attempt(call, ports, certificateDecider, stream, { type: 'RevokeCertificate' }),
      certificateRejections,
    );
    if (!done.state) throw new Error('a command to a certificate left none');
    return reply(stream, done.state, done);
  },
});

/** The operations of the staff on certificates. */
export const staffCertificateOperations = (asking: AskingPorts): readonly Operation[] => [
  getStudentCertificate(asking),
  revokeCertificate,
];
