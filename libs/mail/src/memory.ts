import { checkMessage } from './message.ts';
import { type Mail, type Message, MailUnavailable } from './port.ts';

/** Mail that stays in memory, for tests. */
export interface MemoryMail extends Mail {
  /** What was sent, in order; a repeat under the same key stands once. */
  readonly sent: readonly Message[];
  /** Fails so many of the next tries, as if the server were away. */
  failNext(times: number): void;
}

/** A mail port that keeps what it is given. */
export function memoryMail(): MemoryMail {
  const sent: Message[] = [];
  let failures = 0;
  return {
    sent,
    failNext(times) {
      failures = times;
    },
    async send(message) {
      checkMessage(message);
      if (failures > 0) {
        failures -= 1;
        throw new MailUnavailable('The mail server is away');
      }
      if (!sent.some(({ idempotencyKey }) => idempotencyKey === message.idempotencyKey)) sent.push(message);
    },
    close: () => Promise.resolve(),
  };
}
