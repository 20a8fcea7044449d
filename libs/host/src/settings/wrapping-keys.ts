import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { refuseLostRootKey } from '../engines/data-complete.ts';
import { keepSecret, readSecret } from './kept-secret.ts';
import { StartRefused } from '@lyceum/service';

/** Decodes a key of 32 bytes written as base64 or base64url; undefined for anything else. */
export function decodeKey(text: string): Buffer | undefined {
  const trimmed = text.trim();
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(trimmed)) return undefined;
  return Buffer.from(trimmed, 'base64url');
}

const rule = '32 bytes as base64, e.g. from: openssl rand -base64 32';
const isKey = (text: string): boolean => decodeKey(text) !== undefined;

/** The keys under which everything secret that is stored is wrapped. */
export const keySettings = {
  KEY_ENCRYPTION_KEY: z.string().refine(isKey, rule).optional().meta({
    secret: true,
    description:
      'Wraps the keys of schools and people; needed in production; unset elsewhere = made once and kept in DATA_DIR/key-encryption-key',
  }),
  KEY_ENCRYPTION_KEY_PREVIOUS: z
    .string()
    .refine((text) => text.split(',').every(isKey), `${rule}; several are separated by commas`)
    .optional()
    .meta({ secret: true, description: 'Predecessors of KEY_ENCRYPTION_KEY, until everything is wrapped anew' }),
};

/** Where the keys may come from. */
export interface KeySource {
  readonly KEY_ENCRYPTION_KEY?: string | undefined;
  readonly KEY_ENCRYPTION_KEY_PREVIOUS?: string | undefined;
  readonly DATA_DIR: string;
  readonly NODE_ENV: string;
}

const fileOf = ({ DATA_DIR }: KeySource): string => join(DATA_DIR, 'key-encryption-key');

/**
 * The root keys of this installation, the current one first: KEY_ENCRYPTION_KEY, else the one in
 * `<DATA_DIR>/key-encryption-key` (mode 0600), which is made once; then its predecessors. Throws `StartRefused` in
 * production without the variable, because a key beside the data that it wraps protects nothing there.
 */
export async function wrappingKeys(source: KeySource): Promise<readonly [Buffer, ...Buffer[]]> {
  const { current, previous } = await presentKeys(source);
  if (current) return [current, ...previous];
  const file = fileOf(source);
  return [checked(file, await keepSecret(file, () => randomBytes(32).toString('base64'))), ...previous];
}

/** The root keys that are there already: without a current one, the first start makes it. Throws `StartRefused` as that start would. */
export async function presentKeys(
  source: KeySource,
): Promise<{ readonly current: Buffer | undefined; readonly previous: readonly Buffer[] }> {
  const { KEY_ENCRYPTION_KEY, KEY_ENCRYPTION_KEY_PREVIOUS, DATA_DIR, NODE_ENV } = source;
  if (KEY_ENCRYPTION_KEY === undefined && NODE_ENV === 'production')
    throw new StartRefused('KEY_ENCRYPTION_KEY is not set', [
      '  With NODE_ENV=production it must hold 32 bytes as base64, e.g. from: openssl rand -base64 32',
    ]);
  const file = fileOf(source);
  if (KEY_ENCRYPTION_KEY === undefined) await refuseLostRootKey(file, DATA_DIR);
  const current = KEY_ENCRYPTION_KEY ?? (await readSecret(file));
  const previous = KEY_ENCRYPTION_KEY_PREVIOUS?.split(',') ?? [];
  return {
    current:
      current === undefined
        ? undefined
        : checked(KEY_ENCRYPTION_KEY === undefined ? file : 'KEY_ENCRYPTION_KEY', current),
    previous: previous.map((text) => checked('KEY_ENCRYPTION_KEY_PREVIOUS', text)),
  };
}

function checked(where: string, text: string): Buffer {
  const key = decodeKey(text);
  if (!key) throw new StartRefused(`${where} does not hold 32 bytes as base64`);
  return key;
}
