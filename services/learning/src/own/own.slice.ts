import type { Slice } from '@lyceum/service';
import { listOwnCertificates } from './own-certificates.ts';
import { ownEnrollmentOperations } from './own-enrollments.ts';
import { ownLessonOperations } from './own-lessons.ts';

/** What members see and do of their own enrollments and certificates, under their account. */
export const ownSlice: Slice = {
  name: 'own',
  operations: [...ownEnrollmentOperations, ...ownLessonOperations, listOwnCertificates],
};
