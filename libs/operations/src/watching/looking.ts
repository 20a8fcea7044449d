import { type Call, type Operation, operation } from '@lyceum/web';
import { z } from 'zod';
import { type Watched, consumerReports, laneReports, projectionReports } from './report.ts';
import { parkedIn, parkedRow } from '../repair/parked.ts';

/** Names one service of the process. */
export const serviceQuery = z.strictObject({
  service: z.string().max(100).optional().meta({ description: 'One service of this process; all when not given' }),
});

type Asked = Call<{ readonly query: typeof serviceQuery }>;

const lag = {
  lag: z.int().nullable().meta({ description: 'Positions that wait; null when the owner does not answer' }),
  waiting_since: z.string().nullable().meta({ description: 'When the oldest commit that waits was made' }),
  lag_seconds: z.number().nullable().meta({ description: 'Age of the oldest commit that waits; null: not known' }),
};
const head = z.int().nullable().meta({ description: 'Newest position of the lane' });

const laneRow = z
  .object({
    service: z.string(),
    lane: z.int(),
    head,
    incarnation: z.string().nullable().meta({ description: 'Another one after a restore' }),
    missing: z.int().nullable().meta({ description: 'Position that the log lacks: readers here stand before it' }),
    relay: z
      .object({ position: z.int(), ...lag })
      .nullable()
      .meta({ description: 'null when another process relays' }),
  })
  .meta({ id: 'LaneReport' });

const projectionRow = z
  .object({
    service: z.string(),
    projection: z.string().meta({ description: '<name>@<version>' }),
    source: z.string(),
    state: z.enum(['live', 'building']),
    parked: z.int(),
    lanes: z.array(z.object({ lane: z.int(), position: z.int(), head, ...lag })),
  })
  .meta({ id: 'ProjectionReport' });

const consumerRow = z
  .object({
    consumer: z.string(),
    source: z.string(),
    lane: z.int(),
    watermark: z.int(),
    head,
    ...lag,
    duplicates: z.int().meta({ description: 'Messages dropped because they were handled before' }),
    gaps: z.int().meta({ description: 'Times that something was missing and was read from the owner' }),
  })
  .meta({ id: 'ConsumerReport' });

const listing = <T extends z.ZodType>(row: T) => z.object({ data: z.array(row) });

const looking = {
  method: 'GET',
  area: 'operations',
  anonymous: false,
  status: 200,
} as const;

const of = <T extends { readonly service: string }>(rows: readonly T[], service: string | undefined): readonly T[] =>
  rows.filter((row) => service === undefined || row.service === service);

/** What the operator may look at: all services of the process at once. */
export const lookingOperations = (watched: Watched): readonly Operation[] => [
  operation({
    ...looking,
    id: 'listLanes',
    path: '/internal/lanes',
    summary: 'List lanes: head, relay and its lag',
    query: serviceQuery,
    reply: listing(laneRow),
    handle: async ({ query }: Asked) => ({ body: { data: of(await laneReports(watched), query.service) } }),
  }),
  operation({
    ...looking,
    id: 'listProjections',
    path: '/internal/projections',
    summary: 'List read models: state, lag, parked streams',
    query: serviceQuery,
    reply: listing(projectionRow),
    handle: async ({ query }: Asked) => ({ body: { data: of(await projectionReports(watched), query.service) } }),
  }),
  operation({
    ...looking,
    id: 'listConsumers',
    path: '/internal/consumers',
    summary: 'List consumers of facts: watermark, lag, gaps',
    reply: listing(consumerRow),
    handle: async () => ({ body: { data: await consumerReports(watched) } }),
  }),
  operation({
    ...looking,
    id: 'listParkedStreams',
    path: '/internal/parked',
    summary: 'List parked streams',
    query: serviceQuery,
    reply: listing(parkedRow),
    handle: async ({ query }: Asked) => ({ body: { data: of(await parkedIn(watched.services), query.service) } }),
  }),
];
