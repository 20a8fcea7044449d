import { expect, test } from '@jest/globals';
import { once } from 'node:events';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { Exchange } from '../http/exchange/exchange.ts';
import { startExports } from '../testing/test-exports.ts';
import { downloadWithin } from './export-page.ts';
import { TakenTooSlowly, endWithin, takeSlot } from './export-slots.ts';

const refusal = { code: 'temporarily_unavailable', headers: { 'Retry-After': '10' } };

test('four people of a school download at a time, each once; other schools are not concerned', () => {
  const leaves = ['a', 'b', 'c', 'd'].map((account) => takeSlot('school_1', account));
  expect(() => takeSlot('school_1', 'e')).toThrow(expect.objectContaining(refusal));
  expect(() => takeSlot('school_1', 'a')).toThrow(expect.objectContaining(refusal));
  takeSlot('school_2', 'a')();
  leaves[0]?.();
  expect(() => takeSlot('school_1', 'b')).toThrow(expect.objectContaining(refusal));
  const fifth = takeSlot('school_1', 'e');
  expect(() => takeSlot('school_1', 'a')).toThrow(expect.objectContaining(refusal));
  for (const leave of [...leaves.slice(1), fifth]) leave();
  for (const account of ['a', 'b', 'c', 'd']) takeSlot('school_1', account)();
});

test('what is not taken in time is destroyed, and what was taken is left alone', async () => {
  const slow = new PassThrough();
  endWithin(slow, 20);
  slow.write('something');
  await expect(once(slow, 'close')).rejects.toThrow(TakenTooSlowly);
  const quick = new PassThrough();
  const errors: unknown[] = [];
  quick.on('error', (error) => errors.push(error));
  endWithin(quick, 20);
  quick.resume().end('something');
  await once(quick, 'close');
  await delay(60);
  expect(errors).toEqual([]);
});

test('a download that nobody takes is broken off in time, as the log says, and the next one begins then', async () => {
  const on = await startExports();
  try {
    const { ports } = on.auth;
    const school = (await ports.schools.get(on.auth.school.id))!;
    const request = new IncomingMessage(new Socket());
    request.url = (await on.linkOf('member')).slice(on.auth.school.url.length);
    const ask = async () => ({ file: null, records: [], next: null });
    const begin = async (milliseconds: number) => {
      const exchange = new Exchange(request, school, { ...ports, ask }, 'request_1');
      await downloadWithin(milliseconds)(exchange);
      return exchange.reply!.stream!;
    };
    const over = once(await begin(300), 'close').catch(String);
    await expect(begin(300)).rejects.toMatchObject({ code: 'temporarily_unavailable' });
    expect(await over).toContain('not taken within 300 ms');
    expect(on.auth.lines.filter((line) => line.includes('not taken within 300 ms'))).toEqual([
      expect.stringContaining('"route":"/oauth/export"'),
    ]);
    (await begin(60_000)).destroy();
  } finally {
    await on.close();
  }
});
