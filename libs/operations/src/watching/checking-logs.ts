import { faultsIn } from '@lyceum/eventlog';
import { type Operation, operation } from '@lyceum/web';
import { z } from 'zod';
import { type NamedLog, faultMessage } from './log-faults.ts';
import type { Watch } from '@lyceum/service';

const fault = z.object({
  service: z.string(),
  lane: z.int(),
  position: z.int(),
  reason: z.enum(['missing', 'damaged']),
  message: z.string(),
});

/** Reads the logs of this process whole. */
export const checkLogOperation = (logs: readonly NamedLog[], watch: Watch): Operation =>
  operation({
    id: 'checkLogs',
    method: 'POST',
    path: '/internal/logs/check',
    area: 'operations',
    summary: 'Compare every commit of the event logs with its checksum and its predecessor',
    description:
      'Reads the logs of all services of this process whole, which takes time; others have their turn meanwhile.',
    anonymous: false,
    status: 200,
    reply: z
      .object({
        object: z.literal('log_check'),
        services: z.array(z.string()),
        faults: z.array(fault).meta({ description: 'At most 100 of each log; none = the logs are whole' }),
      })
      .meta({ id: 'LogCheck' }),
    errors: [],
    async handle() {
      const faults: z.output<typeof fault>[] = [];
      for (const { service, log } of logs) {
        const found = await faultsIn(log);
        watch.alarm(service, 'log_faults', found.length);
        faults.push(...found.map((each) => ({ service, ...each, message: faultMessage(service, each) })));
      }
      return { body: { object: 'log_check', services: logs.map(({ service }) => service), faults } };
    },
  });
