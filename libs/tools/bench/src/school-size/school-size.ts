import { Pool } from 'undici';
import type { Case, Goals } from '../measuring/case.ts';
import { preheat } from '../measuring/preheat.ts';
import { requestRound } from '../measuring/request-round.ts';
import { type LargeSchool, openLargeSchool } from './school.ts';
import { type SchoolSize, courseId, timeOf } from './school-data.ts';

/** Connections that ask side by side. */
const connections = 16;

const small: SchoolSize = { courses: 500, members: 2_000 };
const full: SchoolSize = { courses: 10_000, members: 100_000 };

/** One request that has to be answered 200. */
interface Asked {
  readonly method: 'GET' | 'PUT';
  readonly path: string;
  readonly token: string;
  readonly body?: object;
}

async function send(pool: Pool, { method, path, token, body: json }: Asked): Promise<void> {
  const authorization = `Bearer ${token}`;
  const { statusCode, body } = await pool.request({
    method,
    path,
    headers: { authorization, ...(json && { 'content-type': 'application/json' }) },
    ...(json && { body: JSON.stringify(json) }),
  });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`${method} ${path} answered ${statusCode}: ${text.slice(0, 300)}`);
}

/** A page anywhere in a list: rarely one that was asked for before. */
const listing =
  (list: string, length: number) =>
  async ({ token }: LargeSchool) =>
  (): Asked => ({
    method: 'GET',
    path: `${list}?created_before=${timeOf(Math.ceil(Math.random() * length))}`,
    token,
  });

/** Any course. */
const item =
  ({ courses }: SchoolSize) =>
  async ({ token }: LargeSchool) =>
  (): Asked => ({
    method: 'GET',
    path: `/api/courses/${courseId(Math.floor(Math.random() * courses))}`,
    token,
  });

/** One learner after the other gets on in a lesson, far enough for an event. */
const progress = async ({ learners }: LargeSchool) => {
  let turn = 0;
  return (): Asked => {
    const { token, path, lessons } = learners[turn % learners.length]!;
    const before = Math.floor(turn / learners.length);
    turn += 1;
    const position_s = 60 * (1 + (Math.floor(before / lessons.length) % 10_000));
    return {
      method: 'PUT',
      path: `${path}/${lessons[before % lessons.length]}`,
      token,
      body: { state: 'started', position_s },
    };
  };
};

/** What is asked of one large school: pages of lists, items, progress of many members, and what the process needs for all of it. */
export function schoolSizeCases(isLong: boolean): readonly Case[] {
  const size = isLong ? full : small;
  let opening: Promise<LargeSchool> | undefined;
  const asking = (name: string, goals: Goals, prepare: (school: LargeSchool) => Promise<() => Asked>): Case => ({
    name: `${name}, ${connections} connections`,
    unit: 'requests',
    goals: { ...goals, megabytes: 400 },
    sides: [
      {
        name: 'the whole system',
        async open() {
          const school = await (opening ??= openLargeSchool(size));
          const next = await prepare(school);
          const pool = new Pool(school.url, { connections, pipelining: 1 });
          const ask = () => send(pool, next());
          const round = (milliseconds: number) => requestRound(school.pid, connections, milliseconds, ask);
          await preheat(round);
          return { round, close: () => pool.close() };
        },
      },
    ],
  });
  return [
    asking('GET /api/courses, a page', { p99: 50 }, listing('/api/courses', size.courses)),
    asking('GET /api/students, a page', { p99: 50 }, listing('/api/students', size.members)),
    asking('GET /api/courses/{course}', { p99: 20 }, item(size)),
    asking('PUT /api/account/enrollments/{enrollment}/lessons/{lesson}', { p99: 20 }, progress),
  ];
}
