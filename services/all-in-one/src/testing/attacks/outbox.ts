import { patience } from '@lyceum/testkit';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { inForce } from '../in-force.ts';

/** A mail as it lies in the outbox. */
export interface OutboxMail {
  /** Names of headers, in lower case, as often as they are there. */
  readonly headers: readonly string[];
  /** The page of the mail, where it has one. */
  readonly html: string | undefined;
  /** The body, with both its parts, decoded as far as ASCII goes. */
  readonly text: string;
}

function mailIn(source: string): OutboxMail {
  const end = source.indexOf('\r\n\r\n');
  const head = source.slice(0, end).replaceAll(/\r\n[ \t]+/g, ' ');
  const text = source
    .slice(end)
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return {
    headers: head.split('\r\n').map((line) => line.slice(0, line.indexOf(':')).toLowerCase()),
    html: /<!doctype html>[\s\S]*?<\/html>/i.exec(text)?.[0],
    text,
  };
}

/** All mails of a system, once no other has come for a second. */
export async function settledOutbox({ dataDir }: { readonly dataDir: string }): Promise<readonly OutboxMail[]> {
  const folder = join(dataDir, 'outbox');
  const mails = async () => (await readdir(folder)).filter((name) => name.endsWith('.eml'));
  let before = -1;
  const files = await inForce(
    patience,
    async () => {
      await pause(1_000);
      return mails();
    },
    ({ length }) => {
      const isQuiet = length === before;
      before = length;
      return isQuiet;
    },
  );
  return Promise.all(files.map(async (file) => mailIn(await readFile(join(folder, file), 'utf8'))));
}
