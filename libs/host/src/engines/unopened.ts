import { codeOf, messageOf } from '@lyceum/kernel';
import { join } from 'node:path';
import { Corrupted, Damaged, LogUnfit } from '@lyceum/eventlog';
import { isDiskFull, faultMessage } from '@lyceum/operations';
import { StartRefused } from '@lyceum/service';
import type { ProcessSettings } from '../settings/settings.ts';

/** A file that a start opens. */
interface Opened {
  readonly service: string;
  readonly kind: 'event log' | 'read models' | 'keys';
  readonly file: string;
}

const cures: Readonly<Record<Opened['kind'], string>> = {
  'event log': '  Restore the event log from a backup; nothing else can replace it.',
  'read models': '  Delete the file and those beside it that begin with its name: the read models are built again.',
  keys: '  Restore the keys from a backup; nothing else can replace them.',
};

/** What is wrong with a file that cannot be opened, and what helps, for a person; other errors stay what they are. */
function unopened(error: unknown, { service, kind, file }: Opened): unknown {
  if (error instanceof Damaged) {
    const { lane, at: position } = error;
    return new StartRefused(faultMessage(service, { lane, position, reason: 'damaged' }), [cures[kind]]);
  }
  const { code = '', message } = causeOf(error);
  if (isDiskFull(error))
    return new StartRefused(`The disk has no room for ${file} (${kind} of ${service})`, [
      '  Make room and start again. Nothing has to be restored.',
    ]);
  const isDamage = ['SQLITE_NOTADB', 'SQLITE_CORRUPT', 'SQLITE_IOERR'].some((each) => code.startsWith(each));
  if (!isDamage && !(error instanceof Corrupted)) return error;
  return new StartRefused(`${file} (${kind} of ${service}) is damaged: ${message}`, [cures[kind]]);
}

/** The engine's own error, which another may be wrapped around. */
function causeOf(error: unknown): { readonly code?: string; readonly message: string } {
  const code = codeOf(error);
  if (typeof code === 'string') return { code, message: messageOf(error) };
  return error instanceof Error && error.cause instanceof Error ? causeOf(error.cause) : { message: messageOf(error) };
}

const fileNames = { 'event log': 'events.db', 'read models': 'documents.db', keys: 'keys.db' } as const;

/** Throws what a person can use, when a file of the data folder cannot be opened. */
export const toldBy =
  (
    { DATA_DIR, MONGODB_URL }: Pick<ProcessSettings, 'DATA_DIR' | 'MONGODB_URL'>,
    service: string,
    kind: keyof typeof fileNames,
  ) =>
  (error: unknown): never => {
    if (error instanceof LogUnfit)
      throw new StartRefused(`The event log of ${service} cannot be opened as it is asked for: ${error.message}`, [
        error.message.includes('format')
          ? '  A later release has written it: start that release again.'
          : '  The lanes of a log are for ever: unset LANES, or give the number that it was created with.',
      ]);
    if (MONGODB_URL !== undefined) throw error;
    throw unopened(error, { service, kind, file: join(DATA_DIR, service, fileNames[kind]) });
  };
