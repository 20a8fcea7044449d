import { afterEach, describe, expect, test } from '@jest/globals';
import { memoryDocuments } from '@lyceum/documents';
import { memoryEventLog } from '@lyceum/eventlog';
import { isoTime, uuidv5 } from '@lyceum/kernel';
import { FakeClock, until } from '@lyceum/testkit';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import type { ProcessManager } from './process.ts';
import { type RunningProcess, runProcess } from './run-process.ts';

const anything = { parse: (value: unknown) => value as never };

type Command = { readonly say: string };
type OwnEvent = { readonly type: 'Noted'; readonly data: string };

/** Sends what it is asked for, at once or when a timer says so. */
const sending = (send: (school: string, what: string) => Promise<void>): ProcessManager<null, OwnEvent, Command> => ({
  name: 'sending',
  events: { Noted: { version: 1, data: anything } },
  initial: null,
  evolve: () => null,
  correlate: ({ type, stream }) => (/^(Asked|AskedLater)$/.test(type) ? stream : undefined),
  react(input, _state, now) {
    if (input.kind === 'timer') return { commands: [{ say: input.timer }] };
    if (input.kind === 'rejected') return {};
    const { stream, type } = input.event;
    if (type === 'Asked') return { commands: [{ say: stream }] };
    return { set: { [stream]: isoTime(Date.parse(now) + 1_000) } };
  },
  async carryOut({ say }, { tenant }) {
    await send(tenant, say);
    return {};
  },
});

describe('what processes are to do', () => {
  const running: RunningProcess[] = [];
  const ends: (() => void)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0)) end();
    for (const each of running.splice(0)) await each.close();
  });

  /** All schools in one lane. `dead`: a school whose receiver never answers. */
  const stage = (dead: string | undefined, duration = 0) => {
    const clock = new FakeClock();
    const ports = { log: memoryEventLog({ lanes: 1 }), documents: memoryDocuments(), clock };
    const sent: string[] = [];
    const busy = new Map<string, number>();
    const most = { ofOne: 0, inAll: 0 };
    const began: string[] = [];
    const send = async (school: string, what: string) => {
      began.push(`${school} ${what}`);
      busy.set(school, (busy.get(school) ?? 0) + 1);
      most.ofOne = Math.max(most.ofOne, busy.get(school)!);
      most.inAll = Math.max(
        most.inAll,
        [...busy.values()].reduce((sum, each) => sum + each, 0),
      );
      if (school === dead) await new Promise<void>((resolve) => ends.push(resolve));
      else if (duration > 0) await pause(duration);
      busy.set(school, busy.get(school)! - 1);
      sent.push(`${school} ${what}`);
    };
    const start = async (over: Partial<typeof ports> = {}) => {
      const given = { ...ports, ...over, logger: pino({ level: 'silent' }) };
      const process = await runProcess(sending(send), given, { service: 'shop', poll: 20 });
      running.push(process);
      return process;
    };
    const ask = (school: string, what: string, type = 'Asked') =>
      ports.log.append({
        tenant: school,
        expectations: [],
        events: [{ stream: what, type, schema: 1, data: {} }],
        fingerprint: '',
        commitId: uuidv5(school, what, type),
        at: isoTime(clock.now()),
        meta: { actor: 'test' },
      });
    return { ...ports, sent, began, most, start, ask };
  };

  test('a receiver that never answers delays nothing of another school in the lane', async () => {
    const { sent, start, ask } = stage('school_a');
    await start();
    for (let n = 0; n < 20; n += 1) await ask('school_a', `logout_${n}`);
    await ask('school_b', 'letter');
    await until(() => sent.includes('school_b letter'));
    expect(sent).toEqual(['school_b letter']);
  });

  test('nor a timer of another school, though hundreds are due before it', async () => {
    const { sent, start, ask, clock } = stage('school_a');
    const process = await start();
    for (let n = 0; n < 20; n += 1) await ask('school_a', `logout_${n}`);
    for (let n = 0; n < 230; n += 1) await ask('school_a', `late_${n}`, 'AskedLater');
    clock.advance(10);
    await ask('school_b', 'letter', 'AskedLater');
    await pause(300);
    clock.advance(2_000);
    await until(() => sent.includes('school_b letter'));
    void process;
  });

  test('is done in turns: thousands of one school are not before one of another', async () => {
    const { began, most, start, ask } = stage(undefined, 1);
    for (let n = 0; n < 2_500; n += 1) await ask('school_a', `letter_${n}`);
    await ask('school_b', 'letter');
    const process = await start();
    await until(() => began.includes('school_b letter'));
    expect(began.indexOf('school_b letter')).toBeLessThan(1_000);
    await process.caughtUp();
    expect(new Set(began).size).toBe(2_501);
    expect(most.ofOne).toBeLessThanOrEqual(4);
  });

  test('is found again after a crash, whatever was done behind it meanwhile', async () => {
    const { began, sent, start, ask, documents } = stage('school_a');
    const doomed = await start();
    await ask('school_a', 'logout');
    await ask('school_b', 'letter');
    await until(() => sent.includes('school_b letter'));
    await pause(150);
    // As another process finds it when this one was killed.
    const next = await start({ documents });
    await until(() => began.filter((each) => each === 'school_a logout').length === 2);
    for (const end of ends.splice(0)) end();
    await next.caughtUp();
    await doomed.close();
  });
});
