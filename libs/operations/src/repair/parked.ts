import type { Parked, ReadModel } from '@lyceum/documents';
import { z } from 'zod';
import type { WatchedService } from '../watching/report.ts';

/** A parked stream, as operators see it. */
export const parkedRow = z
  .object({
    id: z.string(),
    service: z.string(),
    projection: z.string(),
    source: z.string(),
    school: z.string(),
    stream: z.string(),
    lane: z.int(),
    position: z.int().meta({ description: 'Of the first event that waits' }),
    type: z.string().meta({ description: 'Of the first event that waits' }),
    error: z.string().meta({ description: 'What the read model said to it' }),
    since: z.string(),
    count: z.int().meta({ description: 'Events known to wait' }),
  })
  .meta({ id: 'ParkedStream' });

type Row = z.output<typeof parkedRow>;

/** A parked stream with the read model that it is missing from. */
export interface Stuck {
  readonly model: ReadModel;
  readonly parked: Parked;
}

const idOf = (service: string, { name, version }: ReadModel, { source, tenant, stream }: Parked): string =>
  Buffer.from(JSON.stringify([service, name, version, source, tenant, stream])).toString('base64url');

/** How operators see a parked stream. */
export function rowOf(service: string, { model, parked }: Stuck): Row {
  const { tenant: school, source, stream, lane, position, type, error, since, count } = parked;
  const projection = `${model.name}@${model.version}`;
  const id = idOf(service, model, parked);
  return { id, service, projection, source, school, stream, lane, position, type, error, since, count };
}

/** All parked streams of some services. */
export async function parkedIn(services: readonly WatchedService[]): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const { name, readModels } of services)
    for (const model of readModels())
      rows.push(...(await model.parked()).map((parked) => rowOf(name, { model, parked })));
  return rows;
}

/** The parked stream of an id, with its service; undefined when it is not parked any more. */
export async function findParked(
  services: readonly WatchedService[],
  id: string,
): Promise<(Stuck & { readonly service: string }) | undefined> {
  for (const { name, readModels } of services)
    for (const model of readModels()) {
      const parked = (await model.parked()).find((each) => idOf(name, model, each) === id);
      if (parked) return { service: name, model, parked };
    }
  return undefined;
}
