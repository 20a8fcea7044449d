import { describe, expect, test } from '@jest/globals';
import { memoryEventLog } from './memory.ts';
import { testEventLog } from '../testing.ts';

testEventLog('memory', async () => {
  const log = memoryEventLog();
  return { log, dispose: () => log.close() };
});

describe('the memory log', () => {
  test('has 16 lanes unless told otherwise, and refuses a number that cannot be', () => {
    expect(memoryEventLog().lanes).toBe(16);
    expect(memoryEventLog({ lanes: 4 }).lanes).toBe(4);
    for (const lanes of [0, 1.5, 1025, Number.NaN]) expect(() => memoryEventLog({ lanes })).toThrow(RangeError);
  });

  test('a tenant keeps its lane for ever: these are fixed by the hash', () => {
    const log = memoryEventLog();
    expect(['_platform', 'school_a', 'school_b'].map((tenant) => log.laneOf(tenant))).toEqual([13, 9, 0]);
  });
});
