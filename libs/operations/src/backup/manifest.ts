import { z } from 'zod';

/** The one format that this version writes and reads. */
export const backupFormat = 1;

const digest = z.string().regex(/^[0-9a-f]{64}$/);
const name = z.string().regex(/^[a-z][a-z0-9-]*$/);

const copiedFile = z.object({ bytes: z.number().int().min(0), sha256: digest });

/** A copied file: how long it is, and what it must hash to. */
export type CopiedFile = z.output<typeof copiedFile>;

/**
 * What a backup of logs holds: for each service its file, and how far each lane goes. The logs of all services are of one
 * moment. Read models are not in it: they are built again.
 */
export const manifestSchema = z.object({
  format: z.literal(backupFormat),
  lyceum: z.string(),
  made_at: z.string(),
  services: z.record(
    name,
    copiedFile.extend({
      lanes: z.number().int().min(1),
      incarnation: z.string(),
      heads: z.array(z.number().int().min(0)).readonly(),
    }),
  ),
});

export type Manifest = z.output<typeof manifestSchema>;

/**
 * What lies in the folder `secrets` of a backup: key stores and generated secrets. A manifest of its own, so that it can
 * be kept elsewhere, shorter, and be given back newer than the logs: then who was erased stays erased.
 */
export const secretsSchema = z.object({
  format: z.literal(backupFormat),
  made_at: z.string(),
  files: z.record(z.string().regex(/^(?:[a-z][a-z0-9-]*\/keys\.db|[a-z][a-z0-9-]*)$/), copiedFile),
});

export type SecretsManifest = z.output<typeof secretsSchema>;

/** Where things lie in a backup. */
export const places = {
  manifest: 'manifest.json',
  /** Stands in the folder while it is filled; holds the data folder that it is filled from. */
  unfinished: '.backing-up',
  secrets: 'secrets',
  log: (service: string) => `${service}/events.db`,
  keys: (service: string) => `${service}/keys.db`,
} as const;
