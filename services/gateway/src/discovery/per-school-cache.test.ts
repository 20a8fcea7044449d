import { describe, expect, test } from '@jest/globals';
import { schoolFrom } from '../routing/school.ts';
import { PerSchoolCache } from './per-school-cache.ts';

const schoolOf = (id: string) =>
  schoolFrom({ id, name: id, host: `${id}.example`, base_url: `https://${id}.example` })!;

describe('what is made of each school', () => {
  test('is made when it is first asked for, and once', () => {
    const kept = new PerSchoolCache<string>(2);
    const a = schoolOf('a');
    const made: string[] = [];
    const make = ({ id }: { id: string }) => (made.push(id), `made of ${id}`);
    expect([kept.of(a, make), kept.of(a, make), kept.known(a)]).toEqual(['made of a', 'made of a', 'made of a']);
    expect(made).toEqual(['a']);
  });

  test('is kept for the schools that were asked for last', () => {
    const kept = new PerSchoolCache<string>(1);
    const [a, b, c] = ['a', 'b', 'c'].map(schoolOf) as [ReturnType<typeof schoolOf>, never, never];
    for (const school of [a, b, a, c]) kept.of(school, ({ id }) => id);
    expect([a, b, c].map((school) => kept.known(school))).toEqual(['a', undefined, 'c']);
  });

  test('is made anew of a school about which there is a new fact', () => {
    const kept = new PerSchoolCache<object>(2);
    const [before, after] = [schoolOf('a'), schoolOf('a')];
    const first = kept.of(before, () => ({}));
    expect(kept.of(after, () => ({}))).not.toBe(first);
    expect(kept.known(before)).toBeUndefined();
  });
});
