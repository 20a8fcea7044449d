import { describe, expect, test } from '@jest/globals';
import { traceIdOf } from './trace-context.ts';

const [trace, parent] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];

describe('W3C Trace Context §3.2: the trace that a header names', () => {
  test.each([
    `00-${trace}-${parent}-01`,
    `00-${trace}-${parent}-00`,
    `cc-${trace}-${parent}-01`,
    `cc-${trace}-${parent}-01-more`,
  ])('is read of %s', (header) => expect(traceIdOf(header)).toBe(trace));

  test.each([
    undefined,
    '',
    'nonsense',
    `ff-${trace}-${parent}-01`,
    `00-${'0'.repeat(32)}-${parent}-01`,
    `00-${trace}-${'0'.repeat(16)}-01`,
    `00-${trace.toUpperCase()}-${parent}-01`,
    `00-${trace}-${parent}-01-more`,
    `cc-${trace}-${parent}-01more`,
    `00-${trace}-${parent}`,
    `00-${trace}-${parent}-01, 00-${trace}-${parent}-01`,
  ])('is none for %s', (header) => expect(traceIdOf(header)).toBeUndefined());
});
