import { describe, expect, test } from '@jest/globals';
import { shared } from './shared.ts';

describe('what several requests are given', () => {
  test('is the same object, and cannot be changed while tests run, however deep', () => {
    const value = { name: 'Loom', places: [{ host: 'loom.lyceum.app' }], bytes: Buffer.from('a'), none: null };
    expect(shared(value)).toBe(value);
    expect(() => (value.name = 'Other')).toThrow(TypeError);
    expect(() => value.places.push({ host: 'other' })).toThrow(TypeError);
    expect(() => (value.places[0]!.host = 'other')).toThrow(TypeError);
    expect(shared('text')).toBe('text');
    expect(shared(undefined)).toBeUndefined();
  });
});
