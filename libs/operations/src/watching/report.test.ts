import { expect, test } from '@jest/globals';
import type { ReadModel } from '@lyceum/documents';
import { memoryEventLog } from '@lyceum/eventlog';
import { Watch } from '@lyceum/service';
import { FakeClock } from '@lyceum/testkit';
import { setTimeout as sleep } from 'node:timers/promises';
import { FactLag } from './lag.ts';
import { projectionReports } from './report.ts';

test('a report on read models whose store is away fails, and nothing fails behind it, which would end the process', async () => {
  const behind: unknown[] = [];
  const note = (error: unknown): void => void behind.push(error);
  process.on('unhandledRejection', note);
  try {
    const fails = async (after: number): Promise<never> => {
      await sleep(after);
      throw new Error(`away after ${after} ms`);
    };
    const model: Partial<ReadModel> = {
      name: 'courses',
      version: 1,
      source: 'catalog',
      isBuilding: false,
      keeps: () => true,
      position: () => fails(5),
      parked: () => fails(50),
    };
    const services = [{ name: 'catalog', log: memoryEventLog(), readModels: () => [model as ReadModel] }];
    const facts = new FactLag(async () => undefined);
    const watched = { services, watch: new Watch(), facts, clock: new FakeClock() };
    await expect(projectionReports(watched)).rejects.toThrow('away after 5 ms');
    await sleep(100);
    expect(behind).toEqual([]);
  } finally {
    process.off('unhandledRejection', note);
  }
});
