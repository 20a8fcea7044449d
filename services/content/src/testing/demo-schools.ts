import { demoSchoolId } from '@lyceum/contracts';
import { type ServiceUnderTest, serviceUnderTest } from '@lyceum/testkit-service';
import { content } from '../module.ts';
import { CountedSeats } from './counted-seats.ts';
import { FakeSchool } from './fake-school.ts';

/** The demo schools. */
export const [lantern, music] = [demoSchoolId('lantern-craft'), demoSchoolId('north-quay')];
/** What a start says of the demo. */
export const demo = { password: 'unused here', port: 8080, baseUrl: 'http://127.0.0.1:8080' };

const catalogAnswers = async (service: string, { kind }: Readonly<Record<string, unknown>>) =>
  service === 'catalog' && kind === 'host-of-course' ? { public: true, open: true, manages: true } : undefined;

/** Starts the content service of the demo schools, with somebody who counts seats. */
export async function startDemo(): Promise<ServiceUnderTest & { readonly seats: CountedSeats; seed(): Promise<void> }> {
  const school = new FakeSchool();
  const service = await serviceUnderTest(content, {
    schools: { [lantern]: 'USD', [music]: 'JPY' },
    ports: { ask: async (to, question) => (await catalogAnswers(to, question)) ?? school.answer(to, question) },
  });
  service.clock.advance(Date.parse('2026-11-25T10:30:00Z') - service.clock.now());
  const seats = new CountedSeats(service);
  return {
    ...service,
    seats,
    async seed() {
      await service.started.seedDemoHistory?.(demo);
      await service.settled();
    },
  };
}

/** The version of a UUID. */
export const uuidVersion = (uuid: string): string | undefined => uuid[14];

/** The streams of a school whose names begin like this. */
export async function streamsOf({ log }: Pick<ServiceUnderTest, 'log'>, school: string, prefix: string) {
  const commits = await log.readLane(log.laneOf(school), 0, 10_000);
  const ofSchool = commits.filter(({ tenant }) => tenant === school);
  return [...new Set(ofSchool.flatMap(({ events }) => events.map(({ stream }) => stream)))].filter((stream) =>
    stream.startsWith(prefix),
  );
}
