import type { Clock } from '@lyceum/kernel';
import { type Call, type Operation, operation } from '@lyceum/web';
import { z } from 'zod';
import type { Watched } from '../watching/report.ts';
import { findParked, parkedIn } from './parked.ts';

/** Milliseconds after which no further stream is begun in one request. */
const longest = 10_000;

const filter = z
  .strictObject({
    school: z.string().max(200).optional(),
    projection: z.string().max(200).optional().meta({ description: 'A read model, with its version or without' }),
    error: z.string().min(3).max(1_000).optional().meta({ description: 'What the error contains' }),
    limit: z.int().min(1).max(500).default(100).meta({ description: 'Streams of this request at most' }),
    after: z.string().max(4_000).optional().meta({ description: '`next` of the request before' }),
  })
  .refine(({ school, projection, error }) => [school, projection, error].some((each) => each !== undefined), {
    message: 'name a school, a projection or an error',
  })
  .meta({ id: 'RedriveFilter' });

type Filter = z.output<typeof filter>;
type Row = Awaited<ReturnType<typeof parkedIn>>[number];

const isMeant = ({ school, projection, error }: Filter, row: Row): boolean =>
  (school === undefined || row.school === school) &&
  (projection === undefined || row.projection === projection || row.projection.split('@')[0] === projection) &&
  (error === undefined || row.error.includes(error));

/** The operation that redrives the parked streams that a filter means, some at a time and one after the other. */
export const redrivingMany = ({ services, clock }: Pick<Watched, 'services'> & { readonly clock: Clock }): Operation =>
  operation({
    id: 'redriveParkedStreams',
    method: 'POST',
    path: '/internal/parked/redrive',
    area: 'operations',
    summary: 'Apply what waits of the parked streams of a school, a read model or an error',
    description:
      'One stream after the other, each in order; a stream whose event fails again stays parked at it. Ask again with ' +
      '`after` until `next` is null: every stream is then tried once.',
    anonymous: false,
    status: 200,
    body: filter,
    reply: z
      .object({
        object: z.literal('redrives'),
        applied: z.int().meta({ description: 'Events' }),
        flowing: z.int().meta({ description: 'Streams that flow again' }),
        parked: z.int().meta({ description: 'Streams that are parked again' }),
        next: z.string().nullable().meta({ description: 'Streams wait that were not tried: ask again with this' }),
      })
      .meta({ id: 'Redrives' }),
    errors: [],
    async handle({ body }: Call<{ readonly body: typeof filter }>) {
      const all = (await parkedIn(services)).filter((row) => isMeant(body, row));
      const meant = all
        .map(({ id }) => id)
        .toSorted()
        .filter((id) => body.after === undefined || id > body.after);
      const [until, told] = [clock.now() + longest, { applied: 0, flowing: 0, parked: 0 }];
      let tried = 0;
      for (const id of meant.slice(0, body.limit)) {
        if (tried > 0 && clock.now() >= until) break;
        tried += 1;
        const stuck = await findParked(services, id);
        // Another process redrove it meanwhile.
        if (!stuck) continue;
        const { applied, parked } = await stuck.model.redrive(stuck.parked);
        told.applied += applied;
        told[parked ? 'parked' : 'flowing'] += 1;
      }
      const next = tried < meant.length ? meant[tried - 1]! : null;
      return { body: { object: 'redrives', ...told, next } };
    },
  });
