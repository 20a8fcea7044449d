import type { OperatedProcess } from '@lyceum/service';
import { type Call, type Operation, Problem, operation } from '@lyceum/web';
import { z } from 'zod';
import { serviceQuery } from '../watching/looking.ts';

/** A process manager with its service. */
export interface ServiceProcess {
  readonly service: string;
  readonly process: OperatedProcess;
}

const stuckRow = z
  .object({
    id: z.string(),
    service: z.string(),
    process: z.string(),
    school: z.string(),
    correlation: z.string(),
    error: z.string(),
    since: z.string(),
  })
  .meta({ id: 'StuckProcess' });

type Row = z.output<typeof stuckRow>;

const params = z.object({ id: z.string().max(4_000) });

type Asked = Call<{ readonly query: typeof serviceQuery }>;
type Resuming = Call<{ readonly params: typeof params }>;

async function rowsOf({ service, process }: ServiceProcess): Promise<readonly Row[]> {
  const { name } = process;
  return (await process.stuck()).map(({ tenant: school, correlation, error, since }) => {
    const id = Buffer.from(JSON.stringify([service, name, school, correlation])).toString('base64url');
    return { id, service, process: name, school, correlation, error, since };
  });
}

/** What the operator may do about processes that are stuck. `processes` gives those that run at the moment. */
export const stuckOperations = (processes: () => readonly ServiceProcess[]): readonly Operation[] => [
  operation({
    id: 'listStuckProcesses',
    method: 'GET',
    path: '/internal/stuck',
    area: 'operations',
    summary: 'List processes and reactions that failed too often',
    description:
      'A process that has failed for a quarter of an hour goes on trying for a day, then it waits until it is resumed; one ' +
      'that only a person can help waits at once. A reaction goes on trying at least once a minute, and only later events ' +
      'of the same stream wait for it. What succeeds vanishes from the list by itself. Each process of the installation ' +
      'lists its own.',
    anonymous: false,
    query: serviceQuery,
    status: 200,
    reply: z.object({ data: z.array(stuckRow) }),
    async handle({ query }: Asked) {
      const asked = processes().filter(({ service }) => query.service === undefined || service === query.service);
      return { body: { data: (await Promise.all(asked.map(rowsOf))).flat() } };
    },
  }),
  operation({
    id: 'resumeStuckProcess',
    method: 'POST',
    path: '/internal/stuck/{id}/resume',
    area: 'operations',
    summary: 'Try the commands of a stuck process, or a reaction that fails, again at once',
    anonymous: false,
    params,
    status: 202,
    reply: stuckRow,
    errors: ['not_found'],
    async handle({ params: { id } }: Resuming) {
      for (const each of processes()) {
        const row = (await rowsOf(each)).find((stuck) => stuck.id === id);
        if (!row) continue;
        await each.process.resume(row.school, row.correlation);
        return { body: row };
      }
      throw new Problem('not_found', 'This process is not stuck here');
    },
  }),
];
