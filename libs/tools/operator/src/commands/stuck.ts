import type { Command } from '../command.ts';
import type { Json } from '../operator-client.ts';

/** Processes whose commands failed too often. */
export const stuckCommands: readonly Command[] = [
  {
    name: 'stuck list',
    about: 'List processes whose commands keep failing',
    run: async ({ client }) => ({
      data: (await client.send('GET', '/internal/stuck'))['data'] as readonly Json[],
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
