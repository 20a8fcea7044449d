import { isoTime } from '@lyceum/kernel';
import type { TokenClaims } from '@lyceum/oauth/testing';
import { found } from '@lyceum/testkit';
import { type Got, type ServiceUnderTest, type UnderTestOptions, serviceUnderTest } from '@lyceum/testkit-service';
import { content } from '../module.ts';
import { CountedSeats } from './counted-seats.ts';
import { FakeSchool } from './fake-school.ts';

/** The token of a member. */
export const memberToken = (
  name: string,
  scopes: TokenClaims['scopes'] = ['account:read', 'account:write', 'events:read'],
): TokenClaims => ({ role: 'member', subject: `account_${name}`, ...(scopes ? { scopes } : {}) });

/** The service under test, with events of its first school. */
export interface Calendar extends ServiceUnderTest {
  readonly seats: CountedSeats;
  readonly school: FakeSchool;
  /** The time of so many hours from now, RFC 3339 UTC. */
  inHours(hours: number): string;
  /** A draft that begins in a day, online and free. */
  draft(body?: object): Promise<Got['body']>;
  /** The same, published. */
  event(body?: object): Promise<Got['body']>;
  register(event: string, who: TokenClaims | 'anonymous', body?: object, prefer?: string): Promise<Got>;
  /** All registrations of an event as the staff read them, oldest first, once `is` holds. */
  attendees(event: string, is?: (all: readonly Got['body'][]) => boolean): Promise<readonly Got['body'][]>;
}

/** What is special about a start. `school`: the same as before a restart. */
interface Starting extends UnderTestOptions<Record<never, never>> {
  readonly school?: FakeSchool;
}

/** Starts the service with somebody who counts seats. */
export async function startCalendar({ school = new FakeSchool(), ...options }: Starting = {}): Promise<Calendar> {
  const service = await serviceUnderTest(content, {
    ...options,
    ports: { ask: school.answer, ...options.ports },
  });
  const inHours = (hours: number): string => isoTime(service.clock.now() + hours * 3_600_000);
  const send = async (path: string, body?: object) => {
    const got = await service.call('POST', path, body ? { body } : {});
    if (got.status >= 300) throw new Error(`${path}: ${got.status} ${JSON.stringify(got.body)}`);
    return got.body;
  };
  const draft = (body: object = {}) =>
    send('/api/events', { title: 'Lantern evening', starts_at: inHours(24), ends_at: inHours(26), ...body });
  const attendees = async (event: string) =>
    (await service.call('GET', `/api/events/${event}/registrations?limit=100&sort=created_at`)).body.data;
  return {
    ...service,
    school,
    seats: new CountedSeats(service),
    inHours,
    draft,
    async event(body) {
      const { id } = await draft(body);
      return send(`/api/events/${id}/publish`);
    },
    register(event, as, body, prefer) {
      // No two come at the same time.
      service.clock.advance(1);
      return service.call('POST', `/api/events/${event}/registrations`, {
        as,
        ...(body ? { body } : {}),
        ...(prefer ? { headers: { prefer } } : {}),
      });
    },
    attendees: (event, is = () => true) =>
      found(async () => {
        await service.settled();
        const all = await attendees(event);
        return is(all) ? all : undefined;
      }, `the registrations of ${event}`),
  };
}
