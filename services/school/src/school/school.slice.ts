import { type Slice, aggregate, streamNamed } from '@lyceum/service';
import { lifecycleEvents } from './lifecycle.events.ts';
import { lifecycleDecider, lifecycleStream } from './lifecycle.ts';
import { currencyLocking } from './profile.locking.ts';
import { profileEvents } from './profile.events.ts';
import { profileDecider, profileStream } from './profile.ts';
import { schoolEvents } from './school.events.ts';
import { schoolFact } from './school.facts.ts';
import { type DomainsOf, schoolOperations } from './school.http.ts';
import { schoolOperatorOperations } from './school.operator.ts';
import { answerSeller } from './school.seller.ts';
import { schoolDecider } from './school.ts';

/** A school: that it exists, what it says of itself, whether it is open. */
export const schoolSlice = (domainsOf: DomainsOf): Slice => ({
  name: 'school',
  operations: schoolOperations(domainsOf),
  internal: schoolOperatorOperations,
  events: { ...schoolEvents, ...profileEvents, ...lifecycleEvents },
  toFact: schoolFact,
  // What is personal about a school is about the school.
  personalData: [],
  reactions: [currencyLocking],
  answers: { seller: answerSeller },
  aggregates: [
    aggregate((stream, id) => stream === id, schoolDecider),
    aggregate(streamNamed(profileStream), profileDecider),
    aggregate(streamNamed(lifecycleStream), lifecycleDecider),
  ],
});
