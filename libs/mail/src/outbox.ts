import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@lyceum/kernel';
import { compose } from './compose.ts';
import { mailName } from './message.ts';
import { type Mail, type Message, MailUnavailable } from './port.ts';
import type { Sender } from './sender.ts';

/** Where mail goes when no mail server is set up. */
export interface OutboxOptions {
  readonly folder: string;
  readonly sender: Sender;
  readonly clock: Clock;
  /** Called for each mail that was written: its file, and nothing about the person. */
  readonly onWritten?: (file: string) => void;
}

/**
 * Mail as files: `<folder>/<name>.eml`, which mail programs open. A file appears whole or not at all, survives a loss of
 * power, is readable by its owner only (0600) because links in it open accounts, and a repeat replaces its own file.
 */
export function fileOutbox({ folder, sender, clock, onWritten }: OutboxOptions): Mail {
  return {
    async send(message: Message) {
      const { bytes } = await compose(message, sender, clock);
      const file = join(folder, `${mailName(message)}.eml`);
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeWhole(file, bytes);
      } catch (error) {
        throw new MailUnavailable('The outbox cannot be written', { cause: error });
      }
      onWritten?.(file);
    },
    close: () => Promise.resolve(),
  };
}

async function writeWhole(file: string, bytes: Buffer): Promise<void> {
  const draft = `${file}.${randomUUID()}`;
  try {
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
}
