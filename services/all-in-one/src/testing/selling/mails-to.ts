import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** The mails to an address that lie in the outbox of a system, oldest first, as they were sent. */
export async function mailsTo(dataDir: string, address: string): Promise<readonly string[]> {
  const outbox = join(dataDir, 'outbox');
  const files = (await readdir(outbox).catch(() => [])).filter((file) => file.endsWith('.eml')).sort();
  const mails = await Promise.all(files.map((file) => readFile(join(outbox, file), 'utf8')));
  return mails
    .map((mail) => mail.replaceAll('=\r\n', '').replaceAll('=3D', '='))
    .filter((mail) => mail.includes(address));
}

/** The addresses of a path in a mail. */
export const linksIn = (mail: string, path: string): readonly string[] =>
  [...new Set(mail.match(/http:\/\/[^\s"<>]+=[^\s"<>&]+/g) ?? [])].filter((link) => new URL(link).pathname === path);
