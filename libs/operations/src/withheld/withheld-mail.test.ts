import { afterEach, describe, expect, test } from '@jest/globals';
import { MailUnavailable, memoryMail } from '@lyceum/mail';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mailGate, withholdMail } from './withheld-mail.ts';

const restored = '2026-01-05T08:00:00.000Z';
const [before, after] = ['2026-01-04T08:00:00.000Z', '2026-01-05T09:00:00.000Z'];

describe('the mail of a restored system', () => {
  const folders: string[] = [];
  afterEach(async () => {
    for (const each of folders.splice(0)) await rm(each, { recursive: true });
  });
  const folder = async () => {
    const made = await mkdtemp(join(tmpdir(), 'lyceum-withheld-'));
    folders.push(made);
    return made;
  };
  const message = (asked: string) => ({
    to: 'ada@example.org',
    subject: 'Hello',
    text: 'Hello',
    idempotencyKey: asked,
    asked,
  });

  test('is sent where nothing was restored', async () => {
    const mail = memoryMail();
    const gate = await mailGate(mail, await folder(), undefined);
    await gate.send(message(before));
    expect([gate.withheldSince(), mail.sent.length]).toEqual([undefined, 1]);
  });

  test('waits until its operator says so, whatever restarts meanwhile', async () => {
    const [mail, dataDir] = [memoryMail(), await folder()];
    await withholdMail(dataDir, restored);
    await expect((await mailGate(mail, dataDir, undefined)).send(message(after))).rejects.toThrow(MailUnavailable);
    const gate = await mailGate(mail, dataDir, undefined);
    expect(gate.withheldSince()).toBe(restored);
    await expect(gate.send(message(before))).rejects.toThrow(MailUnavailable);
    await gate.release({ older: 'send' });
    for (const asked of [before, after]) await gate.send(message(asked));
    expect([gate.withheldSince(), mail.sent.length]).toEqual([undefined, 2]);
    expect((await mailGate(mail, dataDir, undefined)).withheldSince()).toBe(undefined);
  });

  test('leaves out what was asked for before, for good, when its operator wants that', async () => {
    const [mail, dataDir] = [memoryMail(), await folder()];
    await withholdMail(dataDir, restored);
    await (await mailGate(mail, dataDir, undefined)).release({ older: 'discard' });
    const gate = await mailGate(mail, dataDir, undefined);
    for (const asked of [before, after]) await gate.send(message(asked));
    expect([gate.withheldSince(), mail.sent.map(({ idempotencyKey }) => idempotencyKey)]).toEqual([undefined, [after]]);
  });

  test('waits for as long as the setting says so', async () => {
    const gate = await mailGate(memoryMail(), await folder(), restored);
    await gate.release({ older: 'send' });
    expect(gate.withheldSince()).toBe(restored);
    await expect(gate.send(message(after))).rejects.toThrow(MailUnavailable);
  });
});
