import { type Answer, type System, call, loopbackFetch } from '@lyceum/testkit';
import { createHash, randomUUID } from 'node:crypto';

/** What the demo lacks: a subscription that was paid for, a lesson that was completed, and a file, by the tokens of both. */
export async function live(system: System, owner: string, student: string): Promise<void> {
  const ask = async (path: string, options: Parameters<typeof call>[1]): Promise<Answer['body']> => {
    const { status, body } = await call(`${system.baseUrl}/api${path}`, options);
    if (status >= 300) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
    return body;
  };
  const [plan] = (await ask('/membership_plans', { token: student })).data;
  const order = await ask('/checkout', {
    token: student,
    headers: { 'idempotency-key': randomUUID() },
    json: { items: [{ item_type: 'membership_plan', item_id: plan.id }] },
  });
  const paid = await call(`${system.operatorUrl}/internal/payments/test/${order.id}/succeed`, {
    token: system.operatorToken,
    json: { school: (await ask('/school', {})).id },
  });
  if (paid.status !== 200) throw new Error(`nothing was paid: ${JSON.stringify(paid.body)}`);
  const courses = (await ask('/courses', { token: student })).data;
  const { id: course_id } = courses.find(({ access }: { access: string }) => access === 'free');
  const { id } = await ask('/account/enrollments', { token: student, json: { course_id } });
  const [lesson] = (await ask(`/account/enrollments/${id}/lessons`, { token: student })).data;
  const completed = { method: 'PUT', token: student, json: { state: 'completed' } };
  await ask(`/account/enrollments/${id}/lessons/${lesson.id}`, completed);
  await upload(ask, owner);
}

async function upload(
  ask: (path: string, options: Parameters<typeof call>[1]) => Promise<Answer['body']>,
  token: string,
) {
  const body = Buffer.from('what is handed out\n');
  const sha256 = createHash('sha256').update(body).digest('hex');
  const json = {
    purpose: 'product_file',
    filename: 'words.txt',
    content_type: 'text/plain',
    size: body.length,
    sha256,
  };
  const made = await ask('/storage/uploads', { token, json });
  await loopbackFetch(made.upload.url, { method: 'PUT', body });
  const { id: file_id } = await ask(`/storage/uploads/${made.id}/complete`, { method: 'POST', token });
  const product = await ask('/digital_products', { token, json: { title: 'Words' } });
  const files = [{ file_id, name: 'words.txt' }];
  await ask(`/digital_products/${product.id}/files`, { method: 'PUT', token, json: { files } });
  await ask(`/digital_products/${product.id}/publish`, { method: 'POST', token });
}
