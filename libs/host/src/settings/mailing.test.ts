import { afterEach, describe, expect, test } from '@jest/globals';
import { FakeClock } from '@lyceum/testkit';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEnvironment } from './environment.ts';
import { createLogger } from '../logger.ts';
import { openMail } from './mailing.ts';

const folders: string[] = [];
afterEach(async () => {
  for (const each of folders.splice(0)) await rm(each, { recursive: true });
});

const problemsOf = (env: Record<string, string>) =>
  readEnvironment([], env).problems.map(({ variable, found }) => [variable, found]);

describe('mail settings', () => {
  test('a mail server needs a sender; neither is needed for the outbox', () => {
    expect(problemsOf({})).toEqual([]);
    expect(problemsOf({ SMTP_URL: 'smtps://a:b@mail.test', MAIL_FROM: 'School <a@b.test>' })).toEqual([]);
    expect(problemsOf({ SMTP_URL: 'smtps://a:b@mail.test' })).toEqual([['MAIL_FROM', undefined]]);
  });

  test.each(['mail.test', 'http://mail.test', 'smtp://', 'smtp://mail.test/?tls.rejectUnauthorized=false'])(
    'no mail server is at %s, and the value, which may hold a password, is not shown',
    (SMTP_URL) => expect(problemsOf({ SMTP_URL, MAIL_FROM: 'a@b.test' })).toEqual([['SMTP_URL', '(hidden)']]),
  );

  test('without a server mail lies in DATA_DIR/outbox; the log tells the file and not the person', async () => {
    const DATA_DIR = await mkdtemp(join(tmpdir(), 'lyceum-mailing-'));
    folders.push(DATA_DIR);
    const lines: string[] = [];
    const logger = createLogger('info', { write: (line) => void lines.push(line) });
    const { settings } = readEnvironment([], { DATA_DIR });
    const mail = await openMail(settings, new FakeClock(), logger);
    expect(lines).toEqual([]);
    await mail.send({ to: 'ada@example.org', subject: 'Hello', text: 'Hello', idempotencyKey: '1' });
    const [name] = await readdir(join(DATA_DIR, 'outbox'));
    expect(JSON.parse(lines[0]!)).toMatchObject({
      file: join(DATA_DIR, 'outbox', name!),
      message: 'a mail was written',
    });
    expect(lines.join()).not.toContain('ada@');
    expect(await readFile(join(DATA_DIR, 'outbox', name!), 'utf8')).toContain('To: ada@example.org');
  });
});
