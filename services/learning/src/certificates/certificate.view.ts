import type { View } from '@lyceum/web';
import { shownCode } from './certificate.code.ts';
import type { Certificate } from './certificate.state.ts';

/** Where anybody verifies a certificate, at the host of its school. */
const certificatePath = (code: string): string => `/certificates/${shownCode(code)}`;

/** What anybody who has its code may know of a certificate. */
export const verifiedDocument = ({ code, name, title, completed_on, created_at, revoked_at }: Certificate) => ({
  object: 'verified_certificate',
  code: shownCode(code),
  name,
  course_title: title,
  completed_on,
  issued_at: created_at,
  valid: revoked_at === null,
  revoked_at,
});

/** A certificate for its holder and the staff. */
export function certificateDocument(id: string, certificate: Certificate, view: View) {
  const { enrollment_id, course_id, member_id, created_at, updated_at, version } = certificate;
  const { object: _public, ...verified } = verifiedDocument(certificate);
  return {
    id,
    object: 'certificate',
    enrollment_id,
    course_id,
    ...(view === 'staff' ? { member_id } : {}),
    ...verified,
    url: certificatePath(certificate.code),
    created_at,
    updated_at,
    version,
    view,
  };
}
