import type { Slice } from '@lyceum/service';
import type { AnalyticsPorts } from '../schools/known-schools.ts';
import { activeStudentReport } from './active-students.report.ts';
import { dropOffReport, funnelReport, retentionReport } from './cohorts.report.ts';
import { enrollmentReport } from './enrollments.report.ts';
import { learnerFigures } from './learner.rows.ts';

const reports = [enrollmentReport, activeStudentReport, funnelReport, retentionReport, dropOffReport];

/** The figures of those who learn. */
export const learnerSlice: Slice<Record<never, never>, AnalyticsPorts> = {
  name: 'learners',
  operations: (ports) => reports.map((report) => report(ports)),
  follows: [learnerFigures],
  // The days on which somebody was active follow from what the learning service gives of their enrollments.
  personalData: [],
};
