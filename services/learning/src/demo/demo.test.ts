import { describe, expect, test } from '@jest/globals';
import { demoAccountId, demoCourseId, demoSchoolId } from '@lyceum/contracts';
import { fold, memoryEventLog } from '@lyceum/eventlog';
import { enrollmentDecider, enrollmentStream } from '../enrollments/enrollment.ts';
import { seedEnrollments } from './demo.ts';

const school = demoSchoolId('lantern-craft');
const course = demoCourseId(school, 'foundations');

describe('the enrollments of the demo', () => {
  test('are written once, and what people changed since is left alone', async () => {
    const log = memoryEventLog();
    await seedEnrollments({ log });
    const lane = log.laneOf(school);
    const before = (await log.readLane(lane, 0, 1_000)).length;
    await seedEnrollments({ log });
    expect((await log.readLane(lane, 0, 1_000)).length).toBe(before);
    const { state } = await fold(
      log,
      enrollmentDecider,
      school,
      enrollmentStream(demoAccountId(school, 'ana.duarte'), course),
    );
    expect(state).toMatchObject({ active: true, course_id: course, created_at: '2026-09-01T08:00:00.000Z' });
  });

  test('one was taken back, and both schools have some', async () => {
    const log = memoryEventLog();
    await seedEnrollments({ log });
    const stream = enrollmentStream(demoAccountId(school, 'dmitri.volkov'), course);
    expect((await fold(log, enrollmentDecider, school, stream)).state).toMatchObject({ active: false });
    const music = demoSchoolId('north-quay');
    const there = enrollmentStream(demoAccountId(music, 'aoi.tanaka'), demoCourseId(music, 'foundations'));
    expect((await fold(log, enrollmentDecider, music, there)).state).toMatchObject({ active: true });
  });
});
