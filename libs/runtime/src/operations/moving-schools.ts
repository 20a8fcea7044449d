import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { KeyTaken } from '@lyceum/eventlog';
import { isoTime } from '@lyceum/kernel';
import { type Call, type Operation, type Ports, Problem, operation } from '@lyceum/web';
import { z } from 'zod';
import { originProblem } from '../origin.ts';
import { AlreadyHere, type Received, arrive, receive } from '../moving/arrival.ts';
import { type MovingService, depart } from '../moving/departure.ts';
import { Unreadable } from '../moving/lines.ts';
import type { SchoolPlaces } from '../moving/moving.ts';
import { ndjson } from '../moving/wire.ts';

const choice = (description: string) => z.enum(['omitted', 'included']).default('omitted').meta({ description });

const leavingParams = z.object({ school: z.string().regex(/^[\w-]{1,100}$/) });
const leavingQuery = z.strictObject({
  personal: choice('Personal data with the keys that open them. Whoever has the answer then reads everything in it.'),
  signing_keys: choice('Keys that sign the tokens of the school; only with personal=included'),
});

const arrivingQuery = z.strictObject({
  base_url: z
    .string()
    .max(300)
    .superRefine((value, context) => {
      const message = originProblem(value);
      if (message) context.addIssue({ code: 'custom', message });
    })
    .optional()
    .meta({ description: 'Where the school is to be found here; where it was when not given' }),
});

const arrived = z
  .object({
    object: z.literal('arrival'),
    school: z.string(),
    services: z.record(z.string(), z.int()).meta({ description: 'Commits of each service' }),
  })
  .meta({ id: 'Arrival' });

type LeavingCall = Call<{ readonly params: typeof leavingParams; readonly query: typeof leavingQuery }>;
type ArrivingCall = Call<{ readonly query: typeof arrivingQuery }>;

/** Whose schools move. */
export interface Movers {
  readonly services: readonly MovingService[];
  readonly dataDir: string;
}

const placesOf = ({ services }: Movers): SchoolPlaces | undefined =>
  services.find(({ moving }) => moving.places)?.moving.places;

/** The service that gives places last: a school is seen once its commits are there. */
const inOrder = (services: readonly MovingService[]): readonly MovingService[] => [
  ...services.filter(({ moving }) => !moving.places),
  ...services.filter(({ moving }) => moving.places),
];

const exporting = (movers: Movers): Operation =>
  operation({
    id: 'exportSchool',
    method: 'GET',
    path: '/internal/schools/{school}/export',
    area: 'schools',
    summary: 'Export a school from all services of the process',
    description: 'Lines of JSON, as of the moment of the request. The last one tells whether the answer is whole.',
    anonymous: false,
    params: leavingParams,
    query: leavingQuery,
    gives: ndjson,
    status: 200,
    errors: ['not_found', 'invalid_request'],
    async handle({ params: { school }, query }: LeavingCall, { clock, ids }: Ports) {
      const asked = { personal: query.personal === 'included', signingKeys: query.signing_keys === 'included' };
      if (asked.signingKeys && !asked.personal)
        throw new Problem('invalid_request', 'Signing keys leave with personal=included only: the same key opens them');
      const places = placesOf(movers);
      const place = await places?.describe(school, asked);
      if (places && place === undefined) throw new Problem('not_found', 'There is no such school');
      const services = inOrder(movers.services);
      const departure = ids.next('departure');
      return { body: depart({ school, departure, at: isoTime(clock.now()), place: place ?? null, asked, services }) };
    },
  });

function importing(movers: Movers): Operation {
  const folder = join(movers.dataDir, 'arrivals');
  // What an earlier process has left there is of no use: it is sent again.
  const cleared = rm(folder, { recursive: true, force: true });
  let running = false;
  return operation({
    id: 'importSchool',
    method: 'POST',
    path: '/internal/schools/import',
    area: 'schools',
    summary: 'Import an exported school that is not here',
    description:
      'Nothing is written before the body is known to be whole, and nobody sees the school before all of it is here. Cut off, the same body is sent again.',
    anonymous: false,
    query: arrivingQuery,
    takes: ndjson,
    status: 201,
    reply: arrived,
    errors: ['invalid_state', 'validation_failed', 'slug_taken', 'host_taken'],
    async handle({ query, incoming }: ArrivingCall) {
      if (running) throw new Problem('invalid_state', 'A school is being imported');
      running = true;
      try {
        await cleared;
        const received = await receive(incoming!, folder);
        const counts = await admitted(movers, received, query.base_url).finally(() => received.discard());
        const { school } = received.header;
        return { body: { object: 'arrival', school, services: Object.fromEntries(counts) } };
      } catch (error) {
        throw problemOf(error);
      } finally {
        running = false;
      }
    },
  });
}

async function admitted(movers: Movers, received: Received, baseUrl: string | undefined) {
  const { school, departure, place, services } = received.header;
  const unknown = services.filter(({ name }) => !movers.services.some((service) => service.name === name));
  if (unknown.length > 0) throw new Unreadable(`there is no service ${unknown[0]!.name} in this process`);
  const places = placesOf(movers);
  await places?.admit({ school, departure, place, baseUrl });
  const counts = await arrive(received, movers.services);
  await places?.open(school);
  return counts;
}

function problemOf(error: unknown): unknown {
  if (error instanceof Unreadable) return new Problem('validation_failed', `The body cannot be used: ${error.message}`);
  if (error instanceof AlreadyHere || error instanceof KeyTaken)
    return new Problem('invalid_state', `The school is here already: ${error.message}`);
  return error;
}

/** Schools that leave for another installation, and that arrive from one. */
export const movingOperations = (movers: Movers): readonly Operation[] => [exporting(movers), importing(movers)];
