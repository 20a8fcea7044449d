import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { facts, wireSchema } from '@lyceum/contracts';
import type { EventTypes } from '@lyceum/kernel';
import { type Fixture, catalogueFaults, fingerprintOf, missingFixtures } from './golden.ts';

/** Schemas of the contracts stand in for any: the kit itself knows no schema library. */
const { CoursePublished, CourseUnpublished } = facts.catalog;
const one = { Happened: { version: 1, data: CourseUnpublished.data } } satisfies EventTypes;

const fixture = (change: Partial<Fixture> = {}): Fixture => ({
  type: 'Happened',
  version: 1,
  schema: fingerprintOf(CourseUnpublished.data),
  data: { course_id: 'course_1' },
  ...change,
});

describe('the guard of event catalogues', () => {
  test('is content with one fixture per version that still reads', () => {
    expect(catalogueFaults({ events: one }, [fixture()])).toEqual([]);
  });

  test('misses a version without a fixture, and minds two of one version', () => {
    expect(catalogueFaults({ events: one }, [])[0]).toContain('Happened v1 has 0 fixtures');
    expect(catalogueFaults({ events: one }, [fixture(), fixture()])[0]).toContain('Happened v1 has 2 fixtures');
  });

  test('minds a schema that changed without a new version', () => {
    const events = { Happened: { version: 1, data: CoursePublished.data } };
    expect(catalogueFaults({ events }, [fixture()]).join()).toContain(
      'the schema of Happened v1 changed: give it version 2',
    );
  });

  test('accepts a change with a new version, a fixture of it and an upcaster; minds it without the upcaster', () => {
    const data = { course_id: 'course_1', slug: 's', title: 't', access: 'free', listed: true };
    const fixtures = [fixture(), fixture({ version: 2, schema: fingerprintOf(CoursePublished.data), data })];
    const upcasters = [(old: { course_id: string }) => ({ ...data, ...old })];
    expect(
      catalogueFaults({ events: { Happened: { version: 2, data: CoursePublished.data, upcasters } } }, fixtures),
    ).toEqual([]);
    const without = catalogueFaults({ events: { Happened: { version: 2, data: CoursePublished.data } } }, fixtures);
    expect(without).toHaveLength(1);
    expect(without[0]).toContain('Happened v1 cannot be read any more');
  });

  test('lets a schema grow where that is judged elsewhere, as long as what was published still reads', () => {
    const grown = CourseUnpublished.data.extend({ added: CourseUnpublished.data.shape.course_id.optional() });
    const broken = CourseUnpublished.data.extend({ added: CourseUnpublished.data.shape.course_id });
    const faults = (data: typeof grown | typeof broken) =>
      catalogueFaults({ events: { Happened: { version: 1, data } }, mayGrow: true }, [fixture()]);
    expect(faults(grown)).toEqual([]);
    expect(faults(broken)).toEqual([expect.stringContaining('Happened v1 cannot be read any more')]);
  });

  test('minds a type that was published and is not known any more, and a fold that throws', () => {
    expect(catalogueFaults({ events: one }, [fixture(), fixture({ type: 'Gone' })])[0]).toContain(
      'Gone v1 cannot be read',
    );
    const evolve = () => {
      throw new Error('no such state');
    };
    expect(catalogueFaults({ events: one, initial: {}, evolve }, [fixture()])[0]).toContain('no such state');
  });

  test('folds the fixtures in their order, as one history', () => {
    const versions: number[] = [];
    const evolve = (state: never, _event: never, { version }: { version: number }) => {
      versions.push(version);
      return state;
    };
    const events = { ...one, Again: one.Happened };
    expect(catalogueFaults({ events, initial: {}, evolve }, [fixture(), fixture({ type: 'Again' })])).toEqual([]);
    expect(versions).toEqual([1, 2]);
  });

  test('makes fixtures that its own checks accept, only where there are none', () => {
    for (const events of Object.values(facts)) {
      const made = missingFixtures(events, []);
      expect(catalogueFaults({ events }, made)).toEqual([]);
      expect(missingFixtures(events, made)).toEqual([]);
    }
  });

  test('a fingerprint tells shapes apart and ignores explanations', () => {
    expect(fingerprintOf(CoursePublished.data)).not.toBe(fingerprintOf(CourseUnpublished.data));
    const explained = CourseUnpublished.data.meta({ description: 'Which course', example: { course_id: 'x' } });
    expect(wireSchema(explained)).toEqual(wireSchema(CourseUnpublished.data));
    expect(fingerprintOf(CourseUnpublished.data.partial())).not.toBe(fingerprintOf(CourseUnpublished.data));
  });

  test('adding to a file keeps every byte of what was there', () => {
    const folder = mkdtempSync(join(tmpdir(), 'lyceum-golden-'));
    const file = join(folder, 'x.golden.json');
    writeFileSync(file, JSON.stringify([fixture()]));
    const there = JSON.parse(readFileSync(file, 'utf8')) as Fixture[];
    const events = { ...one, Later: one.Happened };
    const after = [...there, ...missingFixtures(events, there)];
    expect(after.slice(0, 1)).toEqual([fixture()]);
    expect(after.map(({ type }) => type)).toEqual(['Happened', 'Later']);
    rmSync(folder, { recursive: true });
  });
});
