import type { Slice } from '@lyceum/service';
import type { AnalyticsPorts } from '../schools/known-schools.ts';
import { couponReport } from './coupons.report.ts';
import { revenueReport } from './revenue.report.ts';
import { salesFigures } from './sale.rows.ts';

/** The figures of what is sold. */
export const saleSlice: Slice<Record<never, never>, AnalyticsPorts> = {
  name: 'sales',
  operations: (ports) => [revenueReport(ports), couponReport(ports)],
  follows: [salesFigures],
  // Nothing in it is about a person.
  personalData: [],
};
