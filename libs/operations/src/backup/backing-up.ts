import { join } from 'node:path';
import { isoTime } from '@lyceum/kernel';
import { type Call, type Operation, type Ports, Problem, operation } from '@lyceum/web';
import { z } from 'zod';
import { backUp } from './back-up.ts';
import type { DataFiles } from './data-files.ts';
import { manifestSchema, places } from './manifest.ts';
import { PlaceRefused, placeFor } from './place.ts';
import { exists } from './services-of.ts';
import { LogFaulty } from '../watching/log-faults.ts';
import type { EventLog, Vault } from '@lyceum/eventlog';

const body = z
  .strictObject({
    folder: z.string().min(1).max(1_000).meta({
      description: 'New or empty, inside of BACKUP_DIR: a name there, or its absolute path',
      example: 'monday',
    }),
  })
  .meta({ id: 'BackUp' });

const reply = manifestSchema
  .omit({ format: true })
  .extend({ object: z.literal('backup'), folder: z.string() })
  .meta({ id: 'Backup' });

type Asked = Call<{ readonly body: typeof body }>;

/** What is backed up, and where it may go. */
export interface BackingUp {
  readonly files: DataFiles;
  readonly of: (service: string) => { readonly stored: EventLog; readonly vault: Vault };
  readonly settings: { readonly DATA_DIR: string; readonly BACKUP_DIR: string };
}

/** Backs up the embedded engines of the process while it serves. One backup at a time. */
export function backupOperation(backingUp: BackingUp): Operation {
  let running = false;
  return operation({
    id: 'backUp',
    method: 'POST',
    path: '/internal/backup',
    area: 'operations',
    summary: 'Back up logs, keys and secrets into a new folder',
    description:
      'All logs as of one moment. Keys and secrets lie in the folder `secrets`: keep that elsewhere, and not for long.',
    anonymous: false,
    body,
    status: 201,
    reply,
    errors: ['invalid_state', 'validation_failed'],
    async handle({ body: { folder } }: Asked, { clock }: Ports) {
      if (running) throw new Problem('invalid_state', 'A backup is being made');
      running = true;
      try {
        const place = await placeFor(folder, backingUp.settings);
        const { format: _, ...manifest } = await backUp(place, {
          ...(await partsOf(backingUp)),
          at: isoTime(clock.now()),
        });
        return { body: { object: 'backup', folder: place, ...manifest } };
      } catch (error) {
        if (error instanceof LogFaulty) throw new Problem('invalid_state', `No backup: ${error.message}`);
        if (error instanceof PlaceRefused) throw new Problem('validation_failed', `folder: ${error.message}`);
        throw error;
      } finally {
        running = false;
      }
    },
  });
}

async function partsOf({ files, of, settings: { DATA_DIR } }: BackingUp) {
  const logs = files.logs.map((file) => ({ ...file, log: of(file.service).stored }));
  // A key store is opened by its first use: one that nothing has used yet in this process still has to be in the backup.
  for (const { service } of logs)
    if (await exists(join(DATA_DIR, places.keys(service)))) await of(service).vault.unreported(1);
  return { logs, keys: files.keys, dataDir: DATA_DIR };
}
