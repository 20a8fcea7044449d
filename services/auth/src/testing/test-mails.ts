import { type MemoryMail, type Message, memoryMail } from '@lyceum/mail';
import { type ModulePorts, runProcess } from '@lyceum/service';
import { deliverBy } from '../mails/delivery/deliver.ts';
import { deliveryProcess } from '../mails/delivery/delivery-process.ts';
import type { InvitationPorts } from '../school-projections/invitation-ports.ts';
import type { TestAuth } from './test-auth.ts';

/** The mails of a test: due mails are sent at once, into memory. */
export interface TestMails {
  readonly mail: MemoryMail;
  /** Everything sent so far, when everything that was due so far has been seen to. */
  sent(): Promise<readonly Message[]>;
  /** Lets time pass and tries again what failed. */
  later(milliseconds: number): Promise<void>;
  close(): Promise<void>;
}

/** Sends what the service of a test owes. */
export async function startMails(
  { ports, clock }: TestAuth,
  { ask }: Pick<InvitationPorts, 'ask'> = ports.joining,
): Promise<TestMails> {
  const mail = memoryMail();
  const given = { ...ports, logger: ports.logger as unknown as ModulePorts['logger'] };
  const process = deliveryProcess<typeof given>(() =>
    deliverBy({ ...ports, mail, joining: { ...ports.joining, ask } }),
  );
  const running = await runProcess(process, given, { service: 'auth', poll: 3_600_000, backoff: () => 1 });
  // What was heard is written as commands, what they led to as receipts: each is news again.
  const settled = async () => {
    for (let round = 0; round < 4; round += 1) await running.caughtUp();
  };
  return {
    mail,
    async sent() {
      await settled();
      return [...mail.sent];
    },
    async later(milliseconds) {
      await settled();
      clock.advance(milliseconds);
      await running.fireDue();
      await settled();
    },
    close: () => running.close(),
  };
}

/** The link of a mail. */
export const linkIn = ({ text }: Message): string => /^https?:\S+$/m.exec(text)![0];
