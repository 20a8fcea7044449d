import type { Slice } from '@lyceum/service';
import type { AnalyticsPorts } from '../schools/known-schools.ts';
import { subscriberFigures } from './subscriber.rows.ts';
import { subscriptionReport } from './subscriptions.report.ts';

/** The figures of subscriptions. */
export const subscriberSlice: Slice<Record<never, never>, AnalyticsPorts> = {
  name: 'subscribers',
  operations: (ports) => [subscriptionReport(ports)],
  follows: [subscriberFigures],
  // Nothing in it is about a person.
  personalData: [],
};
