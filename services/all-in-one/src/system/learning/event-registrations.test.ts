import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type System, describeTopologiesIfLong, startSystem } from '@lyceum/testkit';
import { setTimeout as pause } from 'node:timers/promises';
import { type Attendee, EventCrowd, countOf } from '../../testing/selling/event-crowd.ts';

const [people, seats] = [50, 5];

const isSettled = (all: readonly Attendee[]): boolean => all.length === people && countOf(all, 'pending') === 0;

/** Those who wait are those who came last, up to what came at the same time. */
function expectFirstComeFirstServed(all: readonly Attendee[]): void {
  expect([countOf(all, 'confirmed'), countOf(all, 'waitlisted')]).toEqual([seats, people - seats]);
}

/** Cancels somebody who has a seat; the one who has waited longest has it then, and nobody else. */
async function expectNextPromoted(crowd: EventCrowd, before: readonly Attendee[]): Promise<readonly Attendee[]> {
  const [seated] = before.filter(({ status }) => status === 'confirmed');
  const waiting = before.filter(({ status }) => status === 'waitlisted');
  await crowd.cancel(seated?.id ?? '');
  const after = await crowd.attendees(
    // The list follows with a delay.
    (all) =>
      all.some(({ id, status }) => id === seated?.id && status === 'canceled') &&
      countOf(all, 'confirmed') === seats &&
      countOf(all, 'pending') === 0,
  );
  const promoted = after.filter(({ id, status }) => status === 'confirmed' && waiting.some((each) => each.id === id));
  expect(promoted).toHaveLength(1);
  expect(promoted[0]?.requested_at).toBe(waiting[0]?.requested_at);
  return after;
}

await describeTopologiesIfLong('registrations for an event', ({ open }) => {
  let close: () => Promise<unknown>;
  let crowd: EventCrowd;
  beforeAll(async () => {
    const opened = await open();
    ({ close } = opened);
    crowd = await EventCrowd.open(opened.system, seats);
  }, 400_000);
  afterAll(() => close?.());

  test(`50 parallel registrations for 5 seats: exactly 5 have one, the others wait, and a cancellation promotes the first`, async () => {
    const answers = await crowd.register(people);
    expect(answers.filter(({ status }) => status !== 201 && status !== 202)).toEqual([]);
    let all = await crowd.attendees(isSettled);
    expectFirstComeFirstServed(all);
    for (let count = 0; count < 2; count += 1) all = await expectNextPromoted(crowd, all);
  }, 600_000);
});

describe('registrations for an event of a process that is killed meanwhile', () => {
  let system: System;
  afterAll(() => system?.stop());

  test('have exactly the seats that there are, and the others wait in order', async () => {
    system = await startSystem();
    const again = async () => {
      await system.kill();
      system = await startSystem({ dataDir: system.dataDir, port: system.port });
    };
    const crowd = await EventCrowd.open(system, seats);
    const registering = crowd.register(people);
    for (const after of [40, 150]) {
      await pause(after);
      await again();
    }
    await registering;
    let all = await crowd.attendees(isSettled);
    expectFirstComeFirstServed(all);
    all = await expectNextPromoted(crowd, all);
    const [seated] = all.filter(({ status }) => status === 'confirmed');
    await crowd.cancel(seated?.id ?? '');
    await again();
    await crowd.attendees((found) => countOf(found, 'confirmed') === seats && countOf(found, 'canceled') === 2);
  }, 240_000);
});
