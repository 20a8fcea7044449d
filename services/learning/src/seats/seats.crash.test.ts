import { describe, expect, test } from '@jest/globals';
import { until } from '@lyceum/testkit';
import { type Got, enginesOf } from '@lyceum/testkit-service';
import { learning as learningModule } from '../module.ts';
import { FakeSchool, type Learning, courseIds, startLearning } from '../testing.ts';
import { CountedSeats } from '../testing/counted-seats.ts';
import { mortal } from '../testing/mortal-log.ts';

const course_id = courseIds.seats;
const path = '/api/students/account_member/enrollments';

const enroll = (service: Learning, wait = 8): Promise<Got> =>
  service.call('POST', path, { body: { course_id }, headers: { 'idempotency-key': 'once', prefer: `wait=${wait}` } });

/** Ends the process with a write, be it written or not, and starts it anew on what there is. */
async function twice<T>(
  last: number,
  isWritten: boolean,
  first: (service: Learning) => Promise<unknown>,
  then: (service: Learning, seats: CountedSeats) => Promise<T>,
): Promise<T> {
  const engines = enginesOf(learningModule);
  const school = new FakeSchool();
  const seats = new CountedSeats({ [course_id]: 1 });
  const dying = mortal(engines.log, last, isWritten);
  const ports = { ask: school.answer };
  const one = await startLearning({ engines: { ...engines, log: dying.log }, ports, school, seats });
  await Promise.race([dying.died, first(one)]);
  await one.close();
  const other = await startLearning({ engines, ports, school, seats });
  try {
    return await then(other, seats);
  } finally {
    await other.close();
  }
}

describe('a seat whose process dies', () => {
  // The request, the seat that came, and the end are a write each.
  test.each([
    [1, false],
    [1, true],
    [2, false],
    [2, true],
  ])('at write %i, written: %s: the member has it all the same, and has one', async (last, isWritten) => {
    await twice(
      last,
      isWritten,
      (service) => enroll(service, 1),
      async (service, seats) => {
        const { status, body } = await enroll(service);
        expect([status, body.state, body.grants.length]).toEqual([201, 'active', 1]);
        expect([seats.taken(course_id), seats.heard]).toEqual([1, ['SeatRequested']]);
      },
    );
  });

  test.each([
    [3, false],
    [3, true],
  ])('at write %i, written: %s: it is returned when it is taken back, once', async (last, isWritten) => {
    const taken = async (service: Learning, wait?: number) => {
      const { body } = await enroll(service, wait);
      return service.call('DELETE', `${path}/${body.id}`);
    };
    await twice(
      last,
      isWritten,
      (service) => taken(service, 2),
      async (service, seats) => {
        expect((await taken(service)).body.state).toBe('lapsed');
        await until(() => seats.taken(course_id) === 0);
        expect(seats.heard).toEqual(['SeatRequested', 'SeatReturned']);
        const next = await service.call('POST', '/api/students/account_other/enrollments', {
          body: { course_id },
          headers: { prefer: 'wait=8' },
        });
        expect(next.status).toBe(201);
      },
    );
  });

  test.each([
    [1, true],
    [2, true],
  ])('at write %i: who took it back before it was answered keeps none', async (last) => {
    const engines = enginesOf(learningModule);
    const school = new FakeSchool();
    const seats = new CountedSeats({ [course_id]: 1 });
    const release = seats.hold();
    const dying = mortal(engines.log, last, true);
    const ports = { ask: school.answer };
    const one = await startLearning({ engines: { ...engines, log: dying.log }, ports, school, seats });
    const headers = { 'idempotency-key': 'once', prefer: 'wait=0' };
    const ask = async (service: Learning) => {
      const { body } = await service.call('POST', path, { body: { course_id }, headers });
      return service.call('DELETE', `${path}/${body.id}`);
    };
    await Promise.race([dying.died, ask(one)]);
    await one.close();
    const other = await startLearning({ engines, ports, school, seats });
    try {
      expect((await ask(other)).body.state).toBe('lapsed');
      await until(() => seats.heard.length === 2);
      await release();
      await other.settled();
      expect([seats.taken(course_id), seats.heard]).toEqual([0, ['SeatRequested', 'SeatReturned']]);
    } finally {
      await other.close();
    }
  });
});
