import { type Call, type Operation, Problem, operation } from '@lyceum/web';
import { z } from 'zod';
import type { Watched } from '../watching/report.ts';
import { serviceQuery } from '../watching/looking.ts';
import { findParked, parkedRow, rowOf } from './parked.ts';

const redriveParams = z.object({ id: z.string().max(4_000) });
const rebuildParams = z.object({ name: z.string().max(200).meta({ description: 'Without its version' }) });

type Redriving = Call<{ readonly params: typeof redriveParams }>;
type Rebuilding = Call<{ readonly params: typeof rebuildParams; readonly query: typeof serviceQuery }>;

/** What the operator may do about read models. `failed` hears of a rebuild that came to nothing. */
export const mendingOperations = (
  { services }: Pick<Watched, 'services'>,
  failed: (error: unknown, service: string, collection: string) => void,
): readonly Operation[] => [
  operation({
    id: 'redriveParkedStream',
    method: 'POST',
    path: '/internal/parked/{id}/redrive',
    area: 'operations',
    summary: 'Apply what waits of a parked stream',
    description: 'In order. When an event fails again the stream stays parked at it.',
    anonymous: false,
    params: redriveParams,
    status: 200,
    reply: z
      .object({
        object: z.literal('redrive'),
        applied: z.int(),
        parked: parkedRow.nullable().meta({ description: 'Where it is parked again; null when it flows' }),
      })
      .meta({ id: 'Redrive' }),
    errors: ['not_found'],
    async handle({ params }: Redriving) {
      const stuck = await findParked(services, params.id);
      if (!stuck) throw new Problem('not_found', 'This stream is not parked in this process');
      const { applied, parked } = await stuck.model.redrive(stuck.parked);
      return {
        body: { object: 'redrive', applied, parked: parked ? rowOf(stuck.service, { ...stuck, parked }) : null },
      };
    },
  }),
  operation({
    id: 'rebuildProjection',
    method: 'POST',
    path: '/internal/projections/{name}/rebuild',
    area: 'operations',
    summary: 'Build a read model anew beside the live one',
    description: 'Answers when the build has begun. Readers get the new build once it has caught up.',
    anonymous: false,
    params: rebuildParams,
    query: serviceQuery,
    status: 202,
    reply: z
      .object({ object: z.literal('rebuild'), service: z.string(), projection: z.string() })
      .meta({ id: 'Rebuild' }),
    errors: ['not_found', 'invalid_request'],
    async handle({ params: { name }, query }: Rebuilding) {
      const found = services
        .filter((service) => query.service === undefined || service.name === query.service)
        .flatMap((service) => service.readModels().map((model) => ({ service: service.name, model })))
        .filter(({ model }) => model.name === name);
      const [only, another] = found;
      if (!only) throw new Problem('not_found', 'No service of this process builds such a read model');
      if (another) throw new Problem('invalid_request', 'Several services have a read model of this name: say which');
      const { service, model } = only;
      model.rebuild().catch((error: unknown) => failed(error, service, name));
      return { body: { object: 'rebuild', service, projection: `${model.name}@${model.version}` } };
    },
  }),
];
