import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Mail, MailUnavailable, type Message } from '@lyceum/mail';
import { z } from 'zod';

/** Lies in a data folder that was restored, from then on. */
const marker = '.mail-withheld';

const withheldSchema = z.object({
  /** When the data was restored, RFC 3339 UTC. */
  since: z.string(),
  /** `all`: nothing is sent. `before`: what was asked for before that time never is. */
  what: z.enum(['all', 'before']),
});

type Withheld = z.output<typeof withheldSchema>;

/** Has the process that starts on a data folder send nothing until its operator says so. */
export const withholdMail = (dataDir: string, since: string): Promise<void> => write(dataDir, { since, what: 'all' });

const write = (dataDir: string, withheld: Withheld): Promise<void> =>
  writeFile(join(dataDir, marker), JSON.stringify(withheld), { mode: 0o600, flush: true });

/** How a restored system sends: not at all at first, because what was sent after the backup was taken is not known to it. */
export interface MailGate extends Mail {
  /** Since when nothing is sent; undefined when all is. */
  withheldSince(): string | undefined;
  /** Sends from now on, with what was asked for before the restore, or without it. */
  release(which: { readonly older: 'send' | 'discard' }): Promise<void>;
}

/** Puts the gate in front of a way of mail. `always`: a setting keeps it shut. */
export async function mailGate(mail: Mail, dataDir: string, always: string | undefined): Promise<MailGate> {
  let withheld = await readWithheld(dataDir);
  const withheldSince = () => always ?? (withheld?.what === 'all' ? withheld.since : undefined);
  return {
    withheldSince,
    async release({ older }) {
      if (!withheld) return;
      const next = older === 'discard' ? ({ since: withheld.since, what: 'before' } as const) : undefined;
      await (next ? write(dataDir, next) : rm(join(dataDir, marker), { force: true }));
      withheld = next;
    },
    async send(message: Message) {
      if (withheldSince() !== undefined) throw new MailUnavailable('Mail is withheld until the operator releases it');
      if (withheld && message.asked !== undefined && message.asked < withheld.since) return;
      await mail.send(message);
    },
    close: () => mail.close(),
  };
}

async function readWithheld(dataDir: string): Promise<Withheld | undefined> {
  const text = await readFile(join(dataDir, marker), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return text === undefined ? undefined : withheldSchema.parse(JSON.parse(text));
}
