import { routesOf } from '@lyceum/contracts';
import { domainModule } from '@lyceum/service';

import { learnerSlice } from './learners/learner.slice.ts';
import { saleSlice } from './sales/sale.slice.ts';
import { type AnalyticsPorts, KnownSchools } from './schools/known-schools.ts';
import { schoolSlice } from './schools/school.slice.ts';
import { subscriberSlice } from './subscribers/subscriber.slice.ts';
import { formUseSlice } from './visitors/form-use.slice.ts';

/** What happened in a school, in figures: read models over the integration events of the other services. */
export const analytics = domainModule<Record<never, never>, AnalyticsPorts>({
  name: 'analytics',
  routes: routesOf('analytics'),
  asks: ['catalog'],
  slices: [schoolSlice, saleSlice, subscriberSlice, learnerSlice, formUseSlice],
  ownPorts: () => ({ schools: new KnownSchools() }),
});
