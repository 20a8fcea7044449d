import { type Got, type ServiceUnderTest, type UnderTestOptions, serviceUnderTest } from '@lyceum/testkit-service';
import { analytics } from './module.ts';
import { type ToldFact, course, on } from './testing/told-facts.ts';

export {
  type ToldFact,
  coupon,
  course,
  enrollment,
  form,
  on,
  order,
  schoolSays,
  submission,
  subscription,
} from './testing/told-facts.ts';

/** The service under test. */
export interface Analytics extends ServiceUnderTest {
  /** Others publish. */
  tell(...facts: readonly ToldFact[]): Promise<void>;
  /** The rows of a report, once everything has arrived. */
  rows(path: string): Promise<readonly Got['body'][]>;
}

/** What is special about a start. `teaches`: the numbers of the courses of the lecturer. */
interface Starting extends UnderTestOptions<Record<never, never>> {
  readonly facts?: readonly ToldFact[];
  /** The time of the questions. */
  readonly now?: string;
  readonly teaches?: readonly number[];
}

/** Starts the service in a school whose days are those of UTC unless facts say otherwise. */
export async function startAnalytics({
  facts = [],
  now = on('06-01'),
  teaches = [],
  ...options
}: Starting = {}): Promise<Analytics> {
  const service = await serviceUnderTest(analytics, {
    ports: {
      ask: async (_service, { kind, member }) =>
        kind === 'courses-of-lecturer'
          ? { courses: member === 'account_lecturer' ? teaches.map(course) : [] }
          : undefined,
    },
    ...options,
  });
  service.clock.advance(Date.parse(now) - service.clock.now());
  const tell = async (...told: readonly ToldFact[]) => {
    for (const { source, ...fact } of told) await service.publish(source, fact);
    await service.settled();
  };
  await tell(...facts);
  return {
    ...service,
    tell,
    async rows(path) {
      const { status, body } = await service.call('GET', `/api/analytics/${path}`);
      if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
      return body.data;
    },
  };
}
