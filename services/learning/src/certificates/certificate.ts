import { type Decider, type Rejection, type SideEvent, reject, uuidv5 } from '@lyceum/kernel';
import { type CertificateEvent, type CertificateIssued, certificateEvents } from './certificate.events.ts';
import { type CertificateState, evolve } from './certificate.state.ts';

/** What can be asked of a certificate. */
export type CertificateCommand =
  | { readonly type: 'IssueCertificate'; readonly certificate: CertificateIssued }
  | { readonly type: 'RevokeCertificate' };

/** What a command can be rejected for. `invalid_state`: another certificate of the school has the code. */
export type CertificateCode = 'not_found' | 'invalid_state';

/** The stream of the certificate of an enrollment: its id follows from the enrollment, so there is one. */
export const certificateStream = (enrollment: string): string => `certificate_${uuidv5('certificate', enrollment)}`;

/** The kind of claim by which a code leads to its certificate. */
export const certificateCode = 'certificate_code';

function decide(
  command: CertificateCommand,
  state: CertificateState,
): readonly CertificateEvent[] | Rejection<CertificateCode> {
  if (command.type === 'IssueCertificate')
    return state ? [] : [{ type: 'CertificateIssued', data: command.certificate }];
  if (!state) return reject('not_found', 'There is no such certificate');
  const { enrollment_id, member_id, isRevoked } = state;
  return isRevoked ? [] : [{ type: 'CertificateRevoked', data: { enrollment_id, member_id } }];
}

/** That an enrollment has its certificate, for the stream of the enrollment. */
const noted = ({ enrollment_id, member_id, course_id }: CertificateIssued): SideEvent => ({
  stream: enrollment_id,
  type: 'EnrollmentCertified',
  schema: 1,
  data: { member_id, course_id, certificate_id: certificateStream(enrollment_id) },
});

/** The certificate of an enrollment: issued once. */
export const certificateDecider: Decider<CertificateState, CertificateCommand, CertificateEvent, CertificateCode> = {
  events: certificateEvents,
  initial: null,
  decide,
  evolve,
  claims: ({ type, data }) =>
    type === 'CertificateIssued' ? [{ kind: certificateCode, value: data.code, rejected: 'invalid_state' }] : [],
  sideEvents: (before, _after, command) =>
    before === null && command.type === 'IssueCertificate' ? [noted(command.certificate)] : [],
};
