import { describe, expect, test } from '@jest/globals';
import { BoundedMap } from './bounded-map.ts';

describe('a bounded map', () => {
  test('keeps at least its size of the keys used last, and never more than twice as many', () => {
    const map = new BoundedMap<number, number>(10);
    for (let key = 0; key < 1_000; key += 1) map.set(key, key);
    const kept = Array.from({ length: 1_000 }, (_, key) => map.get(key)).filter((value) => value !== undefined);
    for (let key = 990; key < 1_000; key += 1) expect(kept).toContain(key);
    expect(kept.length).toBeLessThanOrEqual(20);
  });

  test('a key that is read stays while others pass', () => {
    const map = new BoundedMap<string, number>(10);
    map.set('hot', 1);
    for (let key = 0; key < 1_000; key += 1) {
      map.set(String(key), key);
      expect(map.get('hot')).toBe(1);
    }
  });

  test('answers with the newest value of a key, and with nothing once cleared', () => {
    const map = new BoundedMap<string, number>(1);
    map.set('a', 1);
    map.set('b', 2);
    map.set('a', 3);
    expect(map.get('a')).toBe(3);
    map.clear();
    expect([map.get('a'), map.get('b')]).toEqual([undefined, undefined]);
  });

  test('keeps what weighs its size together, and what is heavier alone', () => {
    const map = new BoundedMap<string, number>(10, (weight) => weight);
    map.set('a', 4);
    map.set('b', 4);
    map.set('a', 6);
    expect([map.get('a'), map.get('b')]).toEqual([6, 4]);
    map.set('heavy', 11);
    map.set('heavy', 12);
    expect(map.get('heavy')).toBe(12);
    map.delete('heavy');
    for (const key of ['c', 'd', 'e', 'f', 'g']) map.set(key, 5);
    expect(['c', 'd', 'e', 'f', 'g'].map((key) => map.get(key) !== undefined).filter(Boolean).length).toBeGreaterThan(
      1,
    );
    expect([map.get('a'), map.get('b')]).toEqual([undefined, undefined]);
  });
});
