import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { KeyTaken } from '@lyceum/eventlog';
import { isoTime } from '@lyceum/kernel';
import { type Call, type Operation, type Ports, type Reply, Problem, checkOrigin, operation } from '@lyceum/web';
import { z } from 'zod';
import { AlreadyHere, type ReceivingService, arrive, rehearse } from './arrival.ts';
import { type MovingService, depart } from './departure.ts';
import { Unreadable } from './lines.ts';
import type { Place, SchoolPlaces } from '@lyceum/service';
import { BodyTooLong, type Received, receive } from './receiving.ts';
import { ndjson, schoolId } from './wire.ts';

const choice = (description: string) => z.enum(['omitted', 'included']).default('omitted').meta({ description });

const leavingParams = z.object({ school: schoolId });
const leavingQuery = z.strictObject({
  personal: choice('Personal data with the keys that open them. Whoever has the answer then reads everything in it.'),
  signing_keys: choice('Keys that sign the tokens of the school; only with personal=included'),
});

const arrivingQuery = z.strictObject({
  base_url: z
    .string()
    .max(300)
    .superRefine(checkOrigin)
    .optional()
    .meta({ description: 'Where the school is to be found here; where it was when not given' }),
  confirm: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'the digest of the summary')
    .optional()
    .meta({ description: 'The digest that the summary of this body names. Without it nothing is written.' }),
});

const services = z.record(z.string(), z.int()).meta({ description: 'Commits of each service' });

const arrived = z
  .discriminatedUnion('object', [
    z.object({
      object: z.literal('arrival_summary'),
      school: z.string(),
      place: z.record(z.string(), z.string()).meta({ description: 'What the platform will know of the school' }),
      claims: z
        .array(z.object({ kind: z.string(), value: z.string() }))
        .meta({ description: 'What will belong to the school alone' }),
      services,
      personal: z.boolean(),
      signing_keys: z.boolean(),
      digest: z.string().meta({ description: 'SHA-256 of the lines but the last; `confirm` names it' }),
    }),
    z.object({ object: z.literal('arrival'), school: z.string(), services }),
  ])
  .meta({ id: 'Arrival', description: 'A school that came, or, without confirmation, a summary of what would come.' });

type LeavingCall = Call<{ readonly params: typeof leavingParams; readonly query: typeof leavingQuery }>;
type ArrivingCall = Call<{ readonly query: typeof arrivingQuery }>;

/** Whose schools move. */
export interface Movers {
  readonly services: readonly ReceivingService[];
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
      'Without `confirm` the answer is a summary, with the digest to confirm, and nothing is written. Whoever wrote the body is not trusted: all of it is checked before anything is written, and only what this school could have done here is taken. Nobody sees the school before all of it is here. Cut off, the same body is sent again.',
    anonymous: false,
    query: arrivingQuery,
    takes: ndjson,
    status: 201,
    reply: arrived,
    errors: ['invalid_state', 'validation_failed', 'slug_taken', 'host_taken', 'payload_too_large'],
    async handle({ query, incoming }: ArrivingCall, { clock }: Ports) {
      if (running) throw new Problem('invalid_state', 'A school is being imported');
      running = true;
      try {
        await cleared;
        const received = await receive(incoming!, folder);
        return await admitted(movers, received, query, clock.now()).finally(() => received.discard());
      } catch (error) {
        throw problemOf(error);
      } finally {
        running = false;
      }
    },
  });
}

async function admitted(
  movers: Movers,
  received: Received,
  { base_url: baseUrl, confirm }: z.output<typeof arrivingQuery>,
  now: number,
): Promise<Reply> {
  const { digest, header } = received;
  const { school, departure, place: claimed, personal, signing_keys } = header;
  if (confirm !== undefined && confirm !== digest)
    throw new Problem('invalid_state', 'The body is not the one that is confirmed: its digest is another');
  const places = placesOf(movers);
  const arriving = { school, departure, place: claimed, baseUrl };
  const place: Place | undefined = await places?.consider(arriving);
  const arrival = { received, services: movers.services, place, now };
  const counts = Object.fromEntries(await rehearse(arrival));
  if (confirm === undefined) {
    const { profile = {}, claims = [] } = place ?? {};
    const about = { school, place: profile, claims, services: counts, personal, signing_keys, digest };
    return { status: 200, body: { object: 'arrival_summary', ...about } };
  }
  await places?.admit(arriving);
  await arrive(arrival);
  await places?.open(school);
  return { body: { object: 'arrival', school, services: counts } };
}

function problemOf(error: unknown): unknown {
  if (error instanceof Unreadable) return new Problem('validation_failed', `The body cannot be used: ${error.message}`);
  if (error instanceof BodyTooLong) return new Problem('payload_too_large', 'The body is longer than an import may be');
  if (error instanceof AlreadyHere || error instanceof KeyTaken)
    return new Problem('invalid_state', `The school is here already: ${error.message}`);
  return error;
}

/** Schools that leave for another installation, and that arrive from one. */
export const movingOperations = (movers: Movers): readonly Operation[] => [exporting(movers), importing(movers)];
