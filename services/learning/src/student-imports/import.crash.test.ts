import { describe, expect, test } from '@jest/globals';
import { enginesOf } from '@lyceum/testkit-service';
import { learning as learningModule } from '../module.ts';
import { FakeSchool, type Learning, courseIds, importOver, startLearning } from '../testing.ts';
import { mortal } from '../testing/mortal-log.ts';

const rows = Array.from({ length: 55 }, (_, at) => ({ email: `person${at}@example.org` }));
const courses = [courseIds.free];

/** What there is of the import in the end: the enrollments with their grants, and the people who were invited. */
async function settledState(service: Learning, id: string) {
  const over = await importOver(service, id);
  await service.settled();
  const grants: number[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const more: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const { body } = await service.call('GET', `/api/students?limit=100${more}`);
    for (const { enrollments } of body.data) for (const each of enrollments) grants.push(each.grants.length);
    cursor = body.next_cursor;
  }
  return { over, grants, invited: [...service.school.members.values()].filter(({ status }) => status === 'invited') };
}

describe('an import whose process dies', () => {
  // The request is the first write. Around each step, and between two rows; with more CRASH_KILLS, between all of them.
  const deaths = Array.from({ length: 58 }, (_, at) => at + 2).filter(
    (write) =>
      Number(process.env['CRASH_KILLS'] ?? 20) > 20 ||
      [2, 3, 20].includes(write) ||
      (write > 49 && write < 56) ||
      write > 57,
  );
  test.each([
    ['before', false],
    ['after', true],
  ])(
    'goes on where it was, and does nothing twice, wherever that is: %s each write',
    async (_, isWritten) => {
      for (const last of deaths) {
        const engines = enginesOf(learningModule);
        const school = new FakeSchool();
        const dying = mortal(engines.log, last, isWritten);
        const ports = { ask: school.answer };
        const first = await startLearning({ engines: { ...engines, log: dying.log }, ports, school });
        const { body } = await first.call('POST', `/api/student_imports?course_ids=${courses.join()}`, {
          body: { rows },
        });
        await Promise.race([dying.died, importOver(first, body.id)]);
        await first.close();
        const second = await startLearning({ engines, ports, school });
        try {
          const { over, grants, invited } = await settledState(second, body.id);
          expect([last, over]).toMatchObject([last, { status: 'completed', processed: 55, failed: 0, unchanged: 0 }]);
          expect([over.invited, over.enrolled, invited.length]).toEqual([55, 55, 55]);
          expect(grants).toEqual(Array.from({ length: 55 }, () => 1));
        } finally {
          await second.close();
        }
      }
    },
    120_000,
  );
});
