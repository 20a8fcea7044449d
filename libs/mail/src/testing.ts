export { type Eml, readEml } from './eml.ts';
import { afterEach, describe, expect, test } from '@jest/globals';
import { type Mail, type Message, MailRefused } from './port.ts';

/** A mail as its reader gets it. */
export interface Arrived {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** An open port, and the way to see what arrived. */
export interface OpenedMail {
  readonly mail: Mail;
  /** Everything that has arrived, decoded; a repeat counts once. */
  arrived(): Promise<readonly Arrived[]>;
  stop?(): Promise<void>;
}

const message: Message = {
  to: 'ada@example.org',
  subject: 'Willkommen in der Schule',
  text: 'Hello Ada\n\nhttps://school.test/oauth/verify?token=abc',
  idempotencyKey: 'welcome/1',
};

/** The conformance suite of `Mail`: every adapter passes it. */
export function testMail(name: string, open: () => Promise<OpenedMail>): void {
  const all: OpenedMail[] = [];
  const opened = async () => {
    const each = await open();
    all.push(each);
    return each;
  };
  afterEach(async () => {
    for (const { mail, stop } of all.splice(0)) {
      await mail.close();
      await stop?.();
    }
  });

  describe(`mail: ${name}`, () => {
    test('arrives as it was given', async () => {
      const { mail, arrived } = await opened();
      await mail.send({ ...message, from: 'Lantern School', html: '<!doctype html><p>Hello' });
      expect(await arrived()).toEqual([{ to: message.to, subject: message.subject, text: message.text }]);
    });

    test('keeps names and subjects of any script', async () => {
      const { mail, arrived } = await opened();
      const subject = '비밀번호를 바꾸셨나요? Größe, ação — “done”';
      await mail.send({ ...message, from: '등불 공예 학교, "Ltd" <x>'.replaceAll(/[<>]/g, ''), subject });
      expect((await arrived()).map((each) => each.subject)).toEqual([subject]);
    });

    test('sent again under the same key is one mail', async () => {
      const { mail, arrived } = await opened();
      await mail.send(message);
      await mail.send(message);
      await mail.send({ ...message, idempotencyKey: 'welcome/2' });
      expect(await arrived()).toHaveLength(2);
    });

    test.each<[string, Partial<Message>]>([
      ['a line break in the address', { to: 'ada@example.org\r\nBcc: eve@example.org' }],
      ['two addresses', { to: 'ada@example.org, eve@example.org' }],
      ['an address with a name', { to: 'Eve <eve@example.org>' }],
      ['a group', { to: 'friends:ada@example.org;' }],
      ['no address', { to: 'ada' }],
      ['a line break in the subject', { subject: 'Hello\nBcc: eve@example.org' }],
      ['a line break in the name', { from: 'School\rBcc: eve@example.org' }],
      ['a line break in the key', { idempotencyKey: 'a\r\nb' }],
      ['no subject', { subject: '' }],
      ['a body without end', { text: 'x'.repeat(300_000) }],
    ])('RFC 5322 §2.2: refuses %s, and nothing is sent', async (_, wrong) => {
      const { mail, arrived } = await opened();
      await expect(mail.send({ ...message, ...wrong })).rejects.toThrow(MailRefused);
      expect(await arrived()).toEqual([]);
    });
  });
}
