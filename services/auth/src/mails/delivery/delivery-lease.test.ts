import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { memoryMail } from '@lyceum/mail';
import {
  type Contender,
  type Leases,
  type Sharer,
  type Managing,
  type ModulePorts,
  type Work,
  startProcess,
} from '@lyceum/service';
import { Person, until } from '@lyceum/testkit';
import { type TestAuth, emailOf, startAuth } from '../../testing/test-auth.ts';
import { deliverBy } from './deliver.ts';
import { deliveryProcess } from './delivery-process.ts';

let auth: TestAuth;
const begun: Managing[] = [];
beforeEach(async () => {
  auth = await startAuth();
});
afterEach(async () => {
  for (const each of begun.splice(0)) await each.close();
  await auth.close();
});

const start = async (mail = memoryMail(), leases?: Leases) => {
  const logger = auth.ports.logger as unknown as ModulePorts['logger'];
  const manager = deliveryProcess(() => deliverBy({ ...auth.ports, mail }));
  const ports = { ...auth.ports, logger, mail, ...(leases ? { leases } : {}) } as unknown as ModulePorts;
  const delivering = await startProcess(ports, 'auth', { manager, lease: 'deliveries' });
  begun.push(delivering);
  return { mail, delivering };
};
const ask = async () => {
  const person = new Person();
  await person.submit(await person.visit(`${auth.school.url}/oauth/reset`), { email: emailOf('owner') });
};

describe('what sends', () => {
  test('sends what is due by itself, also what was due before it began, and is shown to operators', async () => {
    await ask();
    const { mail, delivering } = await start();
    await until(() => mail.sent.length === 1);
    auth.clock.advance(61_000);
    await ask();
    await until(() => mail.sent.length === 2);
    expect(delivering.current()?.name).toBe('delivery');
    expect(await delivering.current()!.stuck()).toEqual([]);
  });

  test('runs in the process that has the lease, and goes on in the next one without sending twice', async () => {
    const first = await start();
    await ask();
    await until(() => first.mail.sent.length === 1);
    const nothing = { current: () => undefined, has: () => false, close: () => Promise.resolve() };
    const waits: Leases = {
      contend: <W extends Work>(): Contender<W> => nothing,
      share: <W extends Work>(): Sharer<W> => nothing,
    };
    const idle = await start(memoryMail(), waits);
    expect(idle.delivering.current()).toBeUndefined();
    await first.delivering.close();
    auth.clock.advance(61_000);
    await ask();
    const second = await start();
    await until(() => second.mail.sent.length === 1);
    expect([first.mail.sent.length, idle.mail.sent.length]).toEqual([1, 0]);
  });
});
