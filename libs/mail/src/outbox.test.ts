import { afterAll, describe, expect, test } from '@jest/globals';
import { FakeClock } from '@lyceum/testkit';
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileOutbox } from './outbox.ts';
import { MailUnavailable } from './port.ts';
import { readEml, testMail } from './testing.ts';

const sender = { name: 'Lyceum', address: 'no-reply@school.test' };
const message = { to: 'ada@example.org', subject: 'Hello', text: 'Hello', idempotencyKey: '1' };
const folders: string[] = [];
const folder = async () => {
  const made = await mkdtemp(join(tmpdir(), 'lyceum-outbox-'));
  folders.push(made);
  return join(made, 'outbox');
};
afterAll(() => Promise.all(folders.map((each) => rm(each, { recursive: true }))));

const filesIn = (path: string) => readdir(path).catch(() => []);

testMail('file outbox', async () => {
  const path = await folder();
  return {
    mail: fileOutbox({ folder: path, sender, clock: new FakeClock() }),
    async arrived() {
      const mails = await Promise.all(
        (await filesIn(path)).map(async (each) => readEml(await readFile(join(path, each)))),
      );
      return mails.map(({ headers, text }) => ({ to: headers['to']!, subject: headers['subject']!, text }));
    },
  };
});

describe('the file outbox', () => {
  test('writes files that only their owner reads, and tells their path but no address', async () => {
    const path = await folder();
    const written: string[] = [];
    const mail = fileOutbox({ folder: path, sender, clock: new FakeClock(), onWritten: (file) => written.push(file) });
    await mail.send(message);
    const [name] = await filesIn(path);
    expect(written).toEqual([join(path, name!)]);
    expect(name).toMatch(/^[\w-]{43}\.eml$/);
    expect((await stat(written[0]!)).mode & 0o777).toBe(0o600);
    expect((await stat(path)).mode & 0o777).toBe(0o700);
  });

  test('RFC 5322 §3.6: a mail has date, sender and a Message-ID that a repeat shares; RFC 3834 §5: no machine answers it', async () => {
    const path = await folder();
    const clock = new FakeClock();
    const read = async () => readEml(await readFile(join(path, (await filesIn(path))[0]!))).headers;
    await fileOutbox({ folder: path, sender, clock }).send({ ...message, from: 'Lantern School' });
    const first = await read();
    expect(first).toMatchObject({ from: 'Lantern School <no-reply@school.test>', 'auto-submitted': 'auto-generated' });
    expect(Date.parse(first['date']!)).toBe(Math.floor(clock.now() / 1000) * 1000);
    await fileOutbox({ folder: path, sender, clock }).send(message);
    expect(await read()).toMatchObject({ 'message-id': first['message-id'], from: 'Lyceum <no-reply@school.test>' });
    expect(await filesIn(path)).toHaveLength(1);
  });

  test('a folder that cannot be written is a reason to try again', async () => {
    const path = await folder();
    await writeFile(path, 'a file in the place of the folder');
    await expect(fileOutbox({ folder: path, sender, clock: new FakeClock() }).send(message)).rejects.toThrow(
      MailUnavailable,
    );
  });
});
