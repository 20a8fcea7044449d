import type { Command } from '../command.ts';
import { rowsIn } from '../operator-client.ts';

/** The event logs. */
export const logCommands: readonly Command[] = [
  {
    name: 'log check',
    about: 'Compare every commit of the event logs with its checksum',
    async run({ client }) {
      const answer = await client.send('POST', '/internal/logs/check');
      const faults = rowsIn(answer, 'faults');
      const services = (answer['services'] as readonly string[]).join(', ');
      const note =
        faults.length === 0
          ? `The event logs of ${services} are whole.`
          : 'Nothing is read beyond the first of these positions of a lane. Stop the process; node main.js log repair says what can be done.';
      return { data: faults, columns: ['service', 'lane', 'position', 'reason'], notes: [note] };
    },
  },
];
