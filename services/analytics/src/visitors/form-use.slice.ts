import type { Slice } from '@lyceum/service';
import type { AnalyticsPorts } from '../schools/known-schools.ts';
import { formReport } from './forms.report.ts';
import { formFigures } from './submission.rows.ts';

/** The figures of what visitors send. */
export const formUseSlice: Slice<Record<never, never>, AnalyticsPorts> = {
  name: 'form_use',
  operations: (ports) => [formReport(ports)],
  follows: [formFigures],
  // Nothing in it is about a person.
  personalData: [],
};
