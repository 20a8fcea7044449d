import { describe, expect, test } from '@jest/globals';
import { FakeClock } from '@lyceum/testkit';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { type Mail, MailRefused, MailUnavailable } from './port.ts';
import { smtpMail } from './smtp.ts';
import { type Arrived, readEml, testMail } from './testing.ts';

const sender = { name: 'Lyceum', address: 'no-reply@school.test' };
const message = { to: 'ada@example.org', subject: 'Hello', text: 'Hello', idempotencyKey: '1' };

/** A real mail server, and what reached it; a mail with a known Message-ID counts once, as a reader's server has it. */
async function startServer(options: SMTPServerOptions = {}) {
  const arrived = new Map<string, Arrived & { secure: boolean; user: unknown }>();
  let deliveries = 0;
  const server = new SMTPServer({
    authOptional: true,
    logger: false,
    ...options,
    onData(stream, session, done) {
      void buffer(stream).then((bytes) => {
        const { headers, text } = readEml(bytes);
        const to = session.envelope.rcptTo.map(({ address }) => address).join();
        const { secure, user } = session as unknown as { secure: boolean; user?: unknown };
        arrived.set(headers['message-id']!, { to, subject: headers['subject']!, text, secure, user });
        deliveries += 1;
        done();
      });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.server.address() as AddressInfo;
  const stop = () => new Promise<void>((stopped) => void server.close(stopped));
  return { port, arrived, deliveries: () => deliveries, stop };
}

const to = (port: number, more: Partial<Parameters<typeof smtpMail>[0]> = {}): Mail =>
  smtpMail({ url: `smtp://127.0.0.1:${port}`, sender, clock: new FakeClock(), timeout: 5_000, ...more });

testMail('SMTP', async () => {
  const { port, arrived, stop } = await startServer({ disabledCommands: ['STARTTLS'] });
  const seen = async () => [...arrived.values()].map(({ to, subject, text }) => ({ to, subject, text }));
  return { mail: to(port), arrived: seen, stop };
});

describe('mail by SMTP', () => {
  const tls = { rejectUnauthorized: false };

  test('RFC 3207 §4: goes through STARTTLS where it is offered, RFC 4954 §4: signed in', async () => {
    const server = await startServer({
      authOptional: false,
      onAuth: ({ username, password }, _, done) =>
        password === 'p@ss:word' ? done(null, { user: username! }) : done(new Error('wrong')),
    });
    const right = to(server.port, { url: `smtp://mailer:p%40ss%3Aword@127.0.0.1:${server.port}`, tls });
    const wrong = to(server.port, { url: `smtp://mailer:guess@127.0.0.1:${server.port}`, tls });
    await right.send(message);
    await expect(wrong.send(message)).rejects.toThrow(MailUnavailable);
    expect([...server.arrived.values()]).toMatchObject([{ secure: true, user: 'mailer' }]);
    await Promise.all([right.close(), wrong.close()]);
    await server.stop();
  });

  test('RFC 8314 §3.3: smtps is TLS from the first byte, and a certificate of nobody is refused', async () => {
    const server = await startServer({ secure: true });
    const url = `smtps://127.0.0.1:${server.port}`;
    const [trusting, strict] = [to(server.port, { url, tls }), to(server.port, { url })];
    await trusting.send(message);
    await expect(strict.send({ ...message, idempotencyKey: '2' })).rejects.toThrow(MailUnavailable);
    expect([...server.arrived.values()]).toMatchObject([{ secure: true }]);
    await Promise.all([trusting.close(), strict.close()]);
    await server.stop();
  });

  test('RFC 5321 §4.2.1: 5yz for the recipient ends the mail, 4yz asks for another try, and neither names the person', async () => {
    const answer = { code: 450 };
    const server = await startServer({
      disabledCommands: ['STARTTLS'],
      onRcptTo: (_, __, done) => done(Object.assign(new Error('no ada here'), { responseCode: answer.code })),
    });
    const mail = to(server.port);
    await expect(mail.send(message)).rejects.toThrow(MailUnavailable);
    answer.code = 550;
    const refused = await mail.send(message).catch((error: unknown) => error as Error);
    expect(refused).toBeInstanceOf(MailRefused);
    expect(`${String(refused)} ${String((refused as Error).cause)}`).not.toContain('ada');
    await mail.close();
    await server.stop();
  });

  test('RFC 8314 §3.3: off loopback nothing is sent without TLS, whatever the server offers', async () => {
    const server = await startServer({ disabledCommands: ['STARTTLS'] });
    const mail = to(server.port, { url: `smtp://0.0.0.0:${server.port}` });
    await expect(mail.send(message)).rejects.toThrow(MailUnavailable);
    expect(server.deliveries()).toBe(0);
    await mail.close();
    await server.stop();
  });

  test('many at once share a few connections', async () => {
    let connections = 0;
    const server = await startServer({
      disabledCommands: ['STARTTLS'],
      onConnect: (_, done) => void ((connections += 1), done()),
    });
    const mail = to(server.port);
    await Promise.all(Array.from({ length: 20 }, (_, at) => mail.send({ ...message, idempotencyKey: `${at}` })));
    expect([server.deliveries(), server.arrived.size]).toEqual([20, 20]);
    expect(connections).toBeLessThanOrEqual(3);
    await mail.close();
    await server.stop();
  });

  test('a server that is away is a reason to try again', async () => {
    const server = await startServer({ disabledCommands: ['STARTTLS'] });
    await server.stop();
    const mail = to(server.port);
    await expect(mail.send(message)).rejects.toThrow(MailUnavailable);
    await mail.close();
  });
});
