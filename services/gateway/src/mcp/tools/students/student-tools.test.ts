import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type TestService, catalog, courses, give } from '../../testing/catalog.ts';
import { type McpTestServer, type Said, openMcpTestServer } from '../../testing/mcp-test-server.ts';

const course_id = courses[0]!.id;
const enrollment = {
  id: 'enrollment_1',
  object: 'enrollment',
  course_id,
  state: 'active',
  expires_at: null,
  progress: { completed: 1, required: 4, percent: 25, last_activity_at: null },
  completed_at: null,
  grants: [],
};
const student = { id: 'account_1', name: 'Ada', email: 'ada@example.org', tags: ['evening'] };

/** The learning service, as far as the tools ask it. */
const learning: TestService = ({ method, path, querystring, json }) => {
  if (method === 'GET') {
    const isLast = querystring.includes('cursor=');
    const data = [{ ...student, object: 'student', enrollments: [enrollment] }];
    return give(200, { object: 'list', data, has_more: !isLast, next_cursor: isLast ? null : 'more', view: 'staff' });
  }
  const headers = { 'consistency-token': 'seen' };
  if (path === '/api/students/account_gone/enrollments') return give(404, { error: 'not_found' });
  if (path.endsWith('/enrollments')) return give(201, enrollment, headers);
  const { email } = json as { email: string };
  const others = { ...enrollment, id: 'enrollment_2', course_id: courses[1]!.id };
  return give(email === 'member@example.org' ? 200 : 201, { ...student, enrollments: [others, enrollment] }, headers);
};

describe('tools about students', () => {
  let edge: McpTestServer;
  beforeEach(async () => void (edge = await openMcpTestServer({ catalog, learning })));
  afterEach(() => edge.close());

  const call = async (name: string, args: object, role: 'owner' | 'admin' | 'lecturer' | 'member' = 'admin') => {
    const token = await edge.school.token({ role });
    return (await edge.modern('tools/call', { name, arguments: args }, { token })).body['result'] as Said;
  };
  const asked = (method: string) =>
    edge.seen.filter((each) => each.method === method && each.path.startsWith('/api/students'));

  test('list students with their courses, filtered and page by page', async () => {
    const filters = { course: 'course-0', state: 'active', tag: 'evening', min_percent: 10, limit: 5 };
    const first = (await call('list_students', filters))['structuredContent'];
    expect(first.items).toEqual([
      {
        ...student,
        enrollments: [
          {
            id: 'enrollment_1',
            course_id,
            state: 'active',
            expires_at: null,
            progress: enrollment.progress,
            completed_at: null,
          },
        ],
      },
    ]);
    const rest = (await call('list_students', { ...filters, cursor: first.next_cursor }))['structuredContent'];
    expect(rest.next_cursor).toBeNull();
    const [one, two] = asked('GET').map(({ querystring }) => Object.fromEntries(new URLSearchParams(querystring)));
    expect(one).toEqual({ course_id, state: 'active', tag: 'evening', min_percent: '10', limit: '5' });
    expect(two).toEqual({ ...one, cursor: 'more' });
    const foreign = await call('list_students', { cursor: first.next_cursor });
    expect(foreign['isError']).toBe(true);
  });

  test('enroll a member by id, and anybody by address', async () => {
    const key = { idempotency_key: 'key-00000001' };
    const byId = await call('enroll_student', { course: 'course-0', member_id: 'account_1', expires_at: null, ...key });
    expect(byId['structuredContent']).toMatchObject({
      student_id: 'account_1',
      invited: false,
      enrollments: [{ id: 'enrollment_1', course_id, state: 'active' }],
      consistency_token: 'seen',
    });
    const byMail = await call('enroll_student', { course: course_id, email: 'ada@example.org', name: 'Ada', ...key });
    expect(byMail['structuredContent']).toMatchObject({ invited: true, enrollments: [{ id: 'enrollment_1' }] });
    expect(byMail['structuredContent'].enrollments).toHaveLength(1);
    const known = await call('enroll_student', { course: course_id, email: 'member@example.org', ...key });
    expect(known['structuredContent'].invited).toBe(false);
    const [one, two] = asked('POST');
    expect([one!.path, one!.json]).toEqual(['/api/students/account_1/enrollments', { course_id, expires_at: null }]);
    expect([two!.path, two!.json]).toEqual([
      '/api/students',
      { email: 'ada@example.org', name: 'Ada', course_ids: [course_id] },
    ]);
    for (const { headers } of asked('POST')) expect(headers['idempotency-key']).toBe('"key-00000001"');
  });

  test.each<[string, object, string]>([
    ['nobody', { course: 'course-0' }, 'member_id or by email'],
    ['somebody twice', { course: 'course-0', member_id: 'account_1', email: 'a@b.org' }, 'member_id or by email'],
    ['a course that there is not', { course: 'nothing', member_id: 'account_1' }, 'no course nothing'],
    ['a member that there is not', { course: 'course-0', member_id: 'account_gone' }, 'list_students'],
  ])('say how to do better with %s', async (_, args, text) => {
    const said = await call('enroll_student', { ...args, idempotency_key: 'key-00000001' });
    expect([said['isError'], said['content'][0].text]).toEqual([true, expect.stringContaining(text)]);
  });

  test('are for those whose role allows it: lecturers list, members do neither', async () => {
    const names = async (role: 'admin' | 'lecturer' | 'member') => {
      const token = await edge.school.token({ role });
      const { tools } = (await edge.modern('tools/list', {}, { token })).body['result'];
      return tools
        .map(({ name }: Said) => name)
        .filter((name: string) => name.endsWith('student') || name.endsWith('students'));
    };
    expect(await names('admin')).toEqual(['list_students', 'enroll_student']);
    expect(await names('lecturer')).toEqual(['list_students']);
    expect(await names('member')).toEqual([]);
    const args = { course: 'course-0', member_id: 'account_1', idempotency_key: 'key-00000001' };
    expect((await call('enroll_student', args, 'lecturer'))['isError']).toBe(true);
    expect(asked('POST')).toEqual([]);
  });
});
