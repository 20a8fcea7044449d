import { afterEach, describe, expect, test } from '@jest/globals';
import { memoryDocuments } from '@lyceum/documents';
import { memoryEventLog } from '@lyceum/eventlog';
import { systemIds } from '@lyceum/kernel';
import { type Outcome, type RunningProcess, runProcess } from '@lyceum/service';
import { FakeClock, found, until } from '@lyceum/testkit';
import { silentLogger } from '@lyceum/web';
import { write } from '../../domain/write.ts';
import { recoveryDecider } from '../../recovery/recovery.ts';
import { deliveryProcess, isOfDeliveries } from './delivery-process.ts';

const minute = 60_000;

describe('what has to reach somebody', () => {
  const running: RunningProcess[] = [];
  afterEach(async () => {
    for (const each of running.splice(0)) await each.close();
  });

  /** A process that sends with the outcomes given, in turn, and then always succeeds. */
  const begin = async (outcomes: (Outcome | Error)[] = []) => {
    const clock = new FakeClock();
    const ports = { log: memoryEventLog(), clock, ids: systemIds(clock) };
    const sent: string[] = [];
    const over: string[] = [];
    const start = async (documents = memoryDocuments()) => {
      const deliver = async (_: unknown, school: string, key: string) => {
        const outcome = outcomes.shift() ?? 'sent';
        sent.push(`${school} ${key} ${outcome instanceof Error ? 'threw' : outcome}`);
        if (outcome instanceof Error) throw outcome;
        return outcome;
      };
      const given = { ...ports, documents, logger: silentLogger as never };
      const process = await runProcess(
        deliveryProcess<typeof given>(() => ({ try: deliver, over: async (__, school) => void over.push(school) })),
        given,
        { service: 'auth', poll: 3_600_000, backoff: () => 1 },
      );
      running.push(process);
      return process;
    };
    const ask = (at: string) =>
      write(
        ports,
        recoveryDecider,
        { school: 'school_1', stream: `recovery-${at}`, meta: { actor: 'anonymous' } },
        { type: 'AskReset', now: clock.now(), language: 'en' },
      );
    const later = async (process: RunningProcess, milliseconds: number) => {
      await process.caughtUp();
      clock.advance(milliseconds);
      await process.fireDue();
      await process.caughtUp();
    };
    const streams = async () => {
      const commits = await ports.log.readLane(ports.log.laneOf('school_1'), 0, 1_000);
      return commits.flatMap(({ events }) => events.map(({ stream }) => stream));
    };
    return { sent, over, start, ask, later, streams };
  };

  test('is sent once, also when the process starts over without knowing how far it was', async () => {
    const { sent, start, ask } = await begin();
    const first = await start();
    await ask('a');
    await ask('b');
    await first.caughtUp();
    await first.close();
    await (await start()).caughtUp();
    expect(sent).toHaveLength(2);
  });

  test('is tried again under the same key until it is through, and delays nothing else', async () => {
    const { sent, start, ask, later } = await begin(['unavailable', 'sent', 'unavailable']);
    const process = await start();
    await ask('a');
    await ask('b');
    await process.caughtUp();
    expect(sent.map((line) => line.split(' ')[2])).toEqual(['unavailable', 'sent']);
    await later(process, 4_000);
    expect(sent).toHaveLength(2);
    await later(process, 2_000);
    await later(process, 16_000);
    await later(process, 60 * minute);
    expect(sent.map((line) => line.split(' ')[2])).toEqual(['unavailable', 'sent', 'unavailable', 'sent']);
    expect(new Set([sent[0], sent[2], sent[3]].map((line) => line!.split(' ')[1])).size).toBe(1);
  });

  test('leaves nothing among the streams of a school that moves but its own', async () => {
    const { start, ask, streams } = await begin();
    const process = await start();
    await ask('a');
    await process.caughtUp();
    await process.caughtUp();
    const left = (await streams()).filter((stream) => !isOfDeliveries(stream));
    expect([...new Set(left)]).toEqual(['recovery-a']);
    expect((await streams()).length).toBeGreaterThan(3);
  });

  test('survives a crash between two tries, and the loss of its place: no second mail', async () => {
    const { sent, start, ask, later } = await begin(['unavailable']);
    const first = await start();
    await ask('a');
    await first.caughtUp();
    await first.close();
    const second = await start();
    await later(second, 6_000);
    await later(second, minute);
    expect(sent.map((line) => line.split(' ')[2])).toEqual(['unavailable', 'sent']);
  });

  test('is given up when it is pointless: a link that has expired, an address that is refused', async () => {
    const { sent, over, start, ask, later } = await begin([
      'refused',
      ...Array.from({ length: 20 }, () => 'unavailable' as const),
    ]);
    const process = await start();
    await ask('a');
    await later(process, minute);
    expect(sent).toHaveLength(1);
    expect(over).toHaveLength(1);
    await ask('b');
    for (let tries = 0; tries < 12; tries += 1) await later(process, 15 * minute);
    expect(sent.length).toBeGreaterThan(1);
    expect(sent.length).toBeLessThan(8);
    expect(over).toHaveLength(2);
  });

  test('is shown to operators when sending throws, and sent when they resume it', async () => {
    const { sent, start, ask, later } = await begin(Array.from({ length: 4 }, () => new Error('a fault of ours')));
    const process = await start();
    await ask('a');
    // Three tries at once, and one by timer.
    await later(process, 0);
    await later(process, 15 * minute);
    // The index that operators read follows the log.
    const stuck = await found(async () => (await process.stuck())[0]);
    expect(stuck).toMatchObject({ tenant: 'school_1', error: 'Error: a fault of ours' });
    await process.resume('school_1', stuck.correlation);
    await process.caughtUp();
    expect(sent.at(-1)).toMatch(/ sent$/);
    await until(async () => (await process.stuck()).length === 0);
  });
});
