import { expect, test } from '@jest/globals';
import { Recent } from './recent.ts';

test('what is used stays, of all else the last, and never more than twice as many', () => {
  const recent = new Recent<{ readonly at: number }>(10);
  const known = (key: string) => recent.get(key)?.at;
  recent.put('used', { at: -1 });
  for (let at = 0; at < 1_000; at += 1) {
    recent.put(`key ${at}`, { at });
    expect(known('used')).toBe(-1);
    expect(known(`key ${Math.max(0, at - 3)}`)).toBe(Math.max(0, at - 3));
  }
  const kept = Array.from({ length: 1_000 }, (_, at) => known(`key ${at}`)).filter((at) => at !== undefined);
  expect(kept.length).toBeLessThan(20);
});
