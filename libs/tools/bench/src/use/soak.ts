import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Case, Round } from '../measuring/case.ts';
import { usageOf } from '../measuring/process-usage.ts';
import { built, freePorts, startWholeSystem } from '../start/whole-system.ts';
import { dayOf } from './day.ts';

/** People who use the school at the same time, and the milliseconds that each rests after a request. */
const [people, rest] = [8, 100];

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** Uses the demo school for some minutes, over and over, and says what memory the process has then. */
export const soakCases = (isLong: boolean): readonly Case[] => {
  const seconds = isLong ? 180 : 20;
  /** Rounds until the tenth minute. */
  const beginning = isLong ? 4 : 1;
  return [
    {
      name: 'a soak',
      unit: 'requests',
      sides: [
        {
          name: `the whole system, ${people} people who rest ${rest} ms after each request`,
          async open(folder) {
            await built();
            const password = randomBytes(16).toString('hex');
            const settings = { DEMO_PASSWORD: password, RATE_LIMIT_FACTOR: '999999' };
            const system = await startWholeSystem(join(folder, 'data'), await freePorts(), settings);
            const days = Array.from({ length: people }, () => dayOf(system.url, 'owner@lantern.test', password));
            const resident: number[] = [];
            return {
              async round(): Promise<Round> {
                const before = await usageOf(system.pid);
                const began = performance.now();
                let operations = 0;
                const use = async (day: ReturnType<typeof dayOf>): Promise<void> => {
                  for (; performance.now() - began < seconds * 1_000; await delay(rest)) {
                    await day.next();
                    operations += 1;
                  }
                };
                await Promise.all(days.map(use));
                const { cpu, megabytes } = await usageOf(system.pid);
                resident.push(megabytes);
                const since = resident[beginning - 1];
                const growth =
                  since === undefined
                    ? ''
                    : `, ${((megabytes / since - 1) * 100).toFixed(1)} % more than after ${beginning * seconds} s`;
                say(`${resident.length * seconds} s: ${megabytes.toFixed(0)} MB resident${growth}`);
                return {
                  operations,
                  server: { milliseconds: performance.now() - began, cpu: cpu - before.cpu, megabytes },
                };
              },
              close: () => system.stop(),
            };
          },
        },
      ],
    },
  ];
};
