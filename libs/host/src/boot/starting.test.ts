import { describe, expect, test } from '@jest/globals';
import { Damaged, Gap } from '@lyceum/eventlog';
import { createLogger } from '../logger.ts';
import { StartRefused } from '@lyceum/service';
import { untilSettled } from './starting.ts';

const lines: string[] = [];
const logger = createLogger('info', { write: (line) => void lines.push(line) });
const refused = ({ lane, at }: Gap) => new StartRefused(`lane ${lane} lacks ${at}`, []);

describe('E-C1: a start over a log that lacks a position', () => {
  test('waits on servers until the commit is there again, and says so', async () => {
    let tries = 0;
    const settle = async (): Promise<void> => {
      tries += 1;
      if (tries === 1) throw new Gap(2, 7);
    };
    await untilSettled(settle, { waits: true, refused, logger });
    expect(tries).toBe(2);
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0]!)).toMatchObject({
      lane: 2,
      position: 7,
      message: expect.stringContaining('lane 2 lacks 7'),
    });
  });

  test.each([
    ['is refused where the log is a file', false, new Gap(2, 7)],
    ['is refused everywhere when the commit is damaged', true, new Damaged(2, 7)],
  ])('%s', async (_, waits, gap) => {
    await expect(untilSettled(() => Promise.reject(gap), { waits, refused, logger })).rejects.toThrow(StartRefused);
  });

  test('fails with every other failure', async () => {
    const settle = () => Promise.reject(new Error('planned failure'));
    await expect(untilSettled(settle, { waits: true, refused, logger })).rejects.toThrow('planned failure');
  });
});
