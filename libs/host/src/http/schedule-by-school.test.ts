import { describe, expect, test } from '@jest/globals';
import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Handler } from '@lyceum/internal-api';
import { scheduledBySchool } from './schedule-by-school.ts';

/** Asks a handler as the gateway does, for a school. */
function asked(handler: Handler, school: string) {
  const response = Object.assign(new EventEmitter(), {
    status: 0,
    headersSent: false,
    writeHead: (status: number) => void (response.status = status),
    end: () => void response.emit('prefinish'),
  });
  const request = { headers: { 'x-school-id': school } } as unknown as IncomingMessage;
  const done = handler(request, response as unknown as ServerResponse);
  return { response, done };
}

describe('a service of its own process', () => {
  test('S10: works for the schools in turns', async () => {
    const order: string[] = [];
    const handler = scheduledBySchool(
      (request, response) => {
        order.push(String(request.headers['x-school-id']));
        response.end();
      },
      () => 'req_1',
    );
    const many = Array.from({ length: 400 }, () => asked(handler, 'crowd').done);
    await asked(handler, 'other').done;
    expect(order.indexOf('other')).toBeLessThan(20);
    await Promise.all(many);
    expect(order).toHaveLength(401);
  });

  test('refuses what is too much of one school with 503, and hears what a handler throws', async () => {
    const handler = scheduledBySchool(
      (request) => {
        if (request.headers['x-school-id'] === 'broken') throw new Error('planned failure');
      },
      () => 'req_1',
    );
    await expect(asked(handler, 'broken').done).rejects.toThrow('planned failure');
    const crowd = Array.from({ length: 700 }, () => asked(handler, 'crowd').response);
    expect(crowd.filter(({ status }) => status === 503).length).toBeGreaterThan(100);
    expect(crowd.filter(({ status }) => status === 200)).toEqual([]);
    for (const response of crowd) response.emit('close');
  });
});
