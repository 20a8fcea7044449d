import type { Command } from '../command.ts';
import { rowsIn } from '../operator-client.ts';

/** Processes whose commands failed too often. */
export const stuckCommands: readonly Command[] = [
  {
    name: 'stuck list',
    about: 'List processes whose commands keep failing',
    run: async ({ client }) => ({
      data: rowsIn(await client.send('GET', '/internal/stuck')),
      columns: ['service', 'process', 'school', 'since', 'error', 'id'],
    }),
  },
  {
    name: 'stuck resume',
    about: 'Try the commands of a stuck process again',
    subject: 'id',
    run: async ({ client, subject }) => ({
      data: await client.send('POST', `/internal/stuck/${encodeURIComponent(subject)}/resume`),
    }),
  },
];
