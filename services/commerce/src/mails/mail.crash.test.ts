import { describe, expect, test } from '@jest/globals';
import { type EventLog, Unavailable, forwarding } from '@lyceum/eventlog';
import { memoryMail } from '@lyceum/mail';
import { until } from '@lyceum/testkit';
import { enginesOf } from '@lyceum/testkit-service';
import { commerce } from '../module.ts';
import { memberToken, startSelling } from '../testing/selling.ts';

/** What the process of mails writes: what it heard and wants done, and receipts. */
const isOfMails = (stream: string): boolean => stream.startsWith('process/mails/') || stream.startsWith('delivered-');

/** The log of a process that ends with its `last`th write about mails: written, where `isWritten`, and never told. */
function mortal(log: EventLog, last: number, isWritten: boolean): EventLog {
  let writes = 0;
  return forwarding(log, {
    async append(append) {
      if (append.events.some(({ stream }) => isOfMails(stream))) writes += 1;
      if (writes < last) return log.append(append);
      if (writes === last && isWritten) await log.append(append);
      writes = last + 1;
      throw new Unavailable('the process is dead');
    },
  });
}

describe('a process that ends while mails are sent', () => {
  test.each([
    ['just before it writes', false],
    ['just after it has written', true],
  ])(
    '%s loses no mail, and repeats none but under the key of the first',
    async (_, isWritten) => {
      for (const last of [1, 2, 3, 4, 5, 6]) {
        const mail = memoryMail();
        const engines = enginesOf(commerce);
        const dying = await startSelling({
          engines: { ...engines, log: mortal(engines.log, last, isWritten) },
          ports: { mail },
        });
        const orders: string[] = [];
        for (const name of ['one', 'two']) {
          const { body } = await dying.buy(['gift'], { as: memberToken(`${name}${last}`) });
          if (body.object === 'checkout') orders.push(body.id);
        }
        await new Promise((resolve) => setTimeout(resolve, 100));
        await dying.close();
        const living = await startSelling({ engines, ports: { mail } });
        try {
          await until(() => mail.sent.length >= orders.length, 'a mail for each');
          await living.settled();
          await new Promise((resolve) => setTimeout(resolve, 100));
          const to = orders.map((_id, at) => `account_${['one', 'two'][at]}${last}@example.org`);
          expect([last, mail.sent.map((each) => each.to).sort()]).toEqual([last, to.sort()]);
        } finally {
          await living.close();
        }
      }
    },
    120_000,
  );
});
