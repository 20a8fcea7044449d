import { expect, test } from '@jest/globals';
import { backend, edge } from '../testing/backend.ts';
import { overHttp } from './inner-http.ts';

test('a service in another process is asked for the body, status and headers of its answer, and by no forged header', async () => {
  let asked = 0;
  const service = await backend((request, response) => {
    asked += 1;
    response.writeHead(201, { 'Consistency-Token': 'token-1', 'Content-Type': 'application/json' });
    request.pipe(response);
  });
  const { upstream, close } = await edge([service.url]);
  const question = { path: '/api/courses', querystring: '', headers: { host: 'one.example' } };
  const body = { title: 'Töpfern' };
  const told = await overHttp(upstream, 'POST', question, body);
  expect(told).toMatchObject({ status: 201, body, headers: { 'consistency-token': 'token-1' } });
  const forged = { ...question, headers: { ...question.headers, 'if-match': 'a\r\nx-school-id: school_2' } };
  await overHttp(upstream, 'GET', forged, undefined);
  expect(asked).toBe(1);
  await close();
  await service.die();
});
