import type { View } from '@lyceum/web';
import { type Enrollment, type Grant, accessPeriod, isLive } from './enrollment.state.ts';

const grantDocument = (grant: Grant, now: string) => {
  const { source_type, source_id, starts_at, expires_at, revoked } = grant;
  const over = revoked ? 'revoked' : 'expired';
  return { source_type, source_id, starts_at, expires_at, state: isLive(grant, now) ? 'live' : over };
};

/** An enrollment as a view shows it at a time: what only the staff see is absent from other views. */
export function enrollmentDocument(id: string, enrollment: Enrollment, view: View, now: string) {
  const { member_id, course_id, grants, created_at, updated_at, version } = enrollment;
  const period = accessPeriod(enrollment, now);
  return {
    id,
    object: 'enrollment',
    course_id,
    state: period ? 'active' : 'lapsed',
    starts_at: period?.starts_at ?? null,
    expires_at: period?.expires_at ?? null,
    ...(view === 'staff' ? { member_id, grants: grants.map((grant) => grantDocument(grant, now)) } : {}),
    created_at,
    updated_at,
    version,
    view,
  };
}
