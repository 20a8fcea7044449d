import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Answer, Client, type Place, call, demoHistory, describeTopologies, patience } from '@lyceum/testkit';
import { randomUUID } from 'node:crypto';
import { hasStatus, inForce } from '../../testing/in-force.ts';
import { takePayment } from '../../testing/selling/sales-operator.ts';

const scope =
  'courses:read courses:write curriculum:read curriculum:write lecturers:read orders:read students:read students:write';

/** Seats of courses, which commerce counts whoever gives them away, through the real gateway. */
await describeTopologies('seats', ({ open, lag }) => {
  let system: Place;
  let close: () => Promise<unknown>;
  let staff: string;
  let student: string;
  const api = (path: string, options: Parameters<typeof call>[1] = {}) => call(`${system.baseUrl}/api${path}`, options);

  beforeAll(async () => {
    ({ system, close } = await open());
    const client = await Client.register(system.baseUrl);
    const tokenOf = async (local: string, of: string) =>
      (await client.tokens(`${local}@lantern.test`, system.password, of)).access_token;
    staff = await tokenOf('owner', scope);
    student = await tokenOf('student', 'account:read account:write');
  }, 400_000);
  afterAll(() => close());

  async function post(path: string, json: object = {}): Promise<Answer['body']> {
    const made = await api(path, { token: staff, json });
    expect([path, made.status, made.status < 300]).toEqual([path, made.status, true]);
    return made.body;
  }

  /** A public course of one lesson. */
  async function publishedCourse(more: object): Promise<Answer['body']> {
    const [lecturer] = (await api('/lecturers', { token: staff })).body.data;
    const title = `Seats ${randomUUID()}`;
    const { id } = await post('/courses', { title, lecturer_ids: [lecturer.id], ...more });
    const section = await post(`/courses/${id}/sections`, { title: 'All' });
    const first = { section_id: section.id, title: 'First', type: 'text', release: { type: 'immediate' } };
    const lesson = await post(`/courses/${id}/lessons`, first);
    await post(`/courses/${id}/lessons/${lesson.id}/publish`);
    return post(`/courses/${id}/publish`);
  }

  const domain = '@seats.test';
  const fresh = () => `${randomUUID()}${domain}`;
  /** What is sent; where few cores bring no answer in time, it is repeated until the first of both is answered. */
  const send = (path: string, { headers, ...options }: { json: object; token?: string; headers?: object }) => {
    const given = { ...options, headers: { ...headers, 'idempotency-key': randomUUID() } };
    return inForce(
      patience,
      () => api(path, given),
      ({ status, body }) => status !== 503 && body.error !== 'idempotency_in_progress',
    );
  };
  const addStudent = (course: string, email = fresh()) =>
    send('/students', { token: staff, json: { email, course_ids: [course] }, headers: { prefer: 'wait=10' } });
  const order = (course: string) =>
    send('/checkout', { json: { items: [{ item_type: 'course', item_id: course }], email: fresh() } });
  const studentsOf = async (course: string, state: string): Promise<readonly Answer['body'][]> =>
    (await api(`/students?course_id=${course}&state=${state}&limit=100`, { token: staff })).body.data;

  /** What everybody is shown of the seats, once it is this. */
  const shownOnce = async (slug: string, seats: string) =>
    (
      await inForce(
        patience,
        () => api(`/courses/${slug}`),
        ({ body }) => body.seats === seats,
      )
    ).body.seats;

  test('50 at once for 5 seats, by orders, the staff and an import: exactly 5, and everybody sees that it is sold out', async () => {
    const prices = [{ amount: 1_000, currency: 'USD' }];
    const { id, slug } = await publishedCourse({ access: 'paid', prices, seat_limit: 5 });
    const quote = { items: [{ item_type: 'course', item_id: id }] };
    await inForce(patience, () => api('/checkout/quotes', { json: quote }), hasStatus(200));
    const rows = Array.from({ length: 10 }, () => ({ email: fresh(), course_ids: [id] }));
    const [orders, added, imported] = await Promise.all([
      Promise.all(Array.from({ length: 20 }, () => order(id))),
      // Where services are apart, that of students may hear of the course a moment later than the one of orders.
      Promise.all(
        Array.from({ length: 20 }, () =>
          inForce(
            patience,
            () => addStudent(id),
            ({ body }) => body.enrollments !== undefined,
          ),
        ),
      ),
      inForce(patience, () => api('/student_imports', { token: staff, json: { rows } }), hasStatus(202)),
    ]);
    const placed = orders.filter(({ status }) => status === 201).map(({ body }) => body.id);
    expect(orders.filter(({ status, body }) => status !== 201 && body.error !== 'sold_out')).toEqual([]);
    const over = await inForce(
      patience,
      () => api(`/student_imports/${imported.body.id}`, { token: staff }),
      ({ body }) => body.status === 'completed',
    );
    expect(over.body.status).toBe('completed');
    // Where services are apart an answer may come before the one about the seat.
    const waiting = await inForce(
      patience,
      () => studentsOf(id, 'awaiting_seat'),
      (all) => all.length === 0,
    );
    expect(waiting).toEqual([]);
    expect(added.filter(({ body }) => !body.enrollments)).toEqual([]);
    const states = added.map(({ body }) => body.enrollments[0].state);
    expect(states.filter((state) => !['active', 'refused', 'awaiting_seat'].includes(state))).toEqual([]);
    const paid = placed.map((each) => {
      const pay = () => takePayment(system, each);
      return inForce(patience, pay, ({ status }) => status < 300);
    });
    const unpaid = (await Promise.all(paid)).filter(({ status }) => status >= 300);
    expect(unpaid.map(({ status, body }) => [status, body])).toEqual([]);
    const active = await inForce(
      patience,
      // Members of the demo have a plan that opens every course, and takes no seat.
      async () => (await studentsOf(id, 'active')).filter(({ email }: { email: string }) => email.endsWith(domain)),
      (all) => all.length >= 5,
    );
    expect(active).toHaveLength(5);
    expect((await order(id)).body.error).toBe('sold_out');
    expect(await shownOnce(slug, 'none')).toBe('none');
    const { body: course } = await api(`/courses/${id}`, { token: staff });
    expect([course.seat_limit, course.seats_taken]).toEqual([5, 5]);
    const pageOf = (path: string) => async () => (await fetch(system.baseUrl + path)).text();
    const page = await inForce(patience, pageOf(`/courses/${slug}`), (text) => text.includes('Sold out'));
    expect(page).toContain('Sold out');
    const pricing = await inForce(patience, pageOf('/pricing.md'), isSoldOut(id));
    expect(isSoldOut(id)(pricing)).toBe(true);
  }, 400_000);

  const isTaken =
    (count: number) =>
    ({ body }: Answer): boolean =>
      body.seats_taken === count;

  /** Whether the price list says that of a course. */
  const isSoldOut =
    (id: string) =>
    (text: string): boolean =>
      text.split('\n## ').some((part) => part.includes(id) && part.includes('no seats left'));

  // The history of the demo takes minutes where each read of a log is a scan.
  const ofOneProcess = lag > 0 ? undefined : test;
  ofOneProcess?.(
    'the demo has a course with three seats, of which one is left, and those who bought the others have access',
    async () => {
      await demoHistory(system);
      const group = await inForce(patience, () => api('/courses/winter-group', { token: staff }), isTaken(2));
      expect(group.body).toMatchObject({ seat_limit: 3, seats_taken: 2, seats: 'few' });
      const active = await inForce(
        patience,
        () => studentsOf(group.body.id, 'active'),
        (all) => all.length >= 2,
      );
      const names = active.map(({ name }: { name: string }) => name);
      expect(names).toEqual(expect.arrayContaining(['Rosa Marin', 'Sara Lind']));
    },
    300_000,
  );

  test('a member enrolls alone in a free course while there is a seat, and when one is free again', async () => {
    const { id, slug } = await publishedCourse({ access: 'free', seat_limit: 1 });
    const added = await inForce(
      patience,
      () => addStudent(id),
      ({ status }) => status === 201,
    );
    const [enrollment] = added.body.enrollments;
    expect(enrollment.state).toBe('active');
    const enroll = () =>
      api('/account/enrollments', { token: student, json: { course_id: id }, headers: { prefer: 'wait=10' } });
    expect([(await enroll()).body.error, await shownOnce(slug, 'none')]).toEqual(['sold_out', 'none']);
    const at = `/students/${added.body.id}/enrollments/${enrollment.id}`;
    expect((await api(at, { method: 'DELETE', token: staff })).body.state).toBe('lapsed');
    expect(await shownOnce(slug, 'few')).toBe('few');
    const again = await enroll();
    expect([again.status, again.body.state]).toEqual([201, 'active']);
  });
});
