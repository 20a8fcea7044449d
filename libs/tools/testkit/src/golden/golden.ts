import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { wireSchema } from '@lyceum/contracts';
import { type DomainEvent, type EventContext, type EventTypes, upcast, storedJson, messageOf } from '@lyceum/kernel';
import { sampleOf } from './sample.ts';

/** One event as some release wrote it. */
export interface Fixture {
  readonly type: string;
  readonly version: number;
  /** Fingerprint of the schema that the version has. */
  readonly schema: string;
  readonly data: unknown;
}

/** Event types, and what folds them: a decider is one. */
export interface Evolution {
  readonly events: EventTypes;
  readonly initial?: unknown;
  /** A schema may change within its version as far as its fixture still reads: what others can read is judged elsewhere. */
  readonly mayGrow?: boolean;
  evolve?(state: never, event: never, context: EventContext): unknown;
}

type Schema = Parameters<typeof wireSchema>[0];

const howTo = 'npm run golden adds what is missing and changes nothing else';

/** SHA-256 of what the schema lets onto the wire. */
export const fingerprintOf = (schema: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(wireSchema(schema as Schema)))
    .digest('hex')
    .slice(0, 32);

/** Events of the newest versions that no fixture stands for yet, made from their schemas. */
export function missingFixtures(events: EventTypes, there: readonly Fixture[]): readonly Fixture[] {
  const isThere = (type: string, version: number) =>
    there.some((each) => each.type === type && each.version === version);
  return Object.entries(events)
    .filter(([type, { version }]) => !isThere(type, version))
    .map(([type, { version, data }]) => {
      const sample = sampleOf(wireSchema(data as unknown as Schema));
      // A sample that the schema refuses has to be written by hand; better now than in the suite of the next release.
      data.parse(sample);
      return { type, version, schema: fingerprintOf(data), data: sample };
    });
}

/** What is wrong between a catalogue and its fixtures, as sentences. Empty = nothing. */
export function catalogueFaults(
  { events, initial, mayGrow = false, evolve }: Evolution,
  fixtures: readonly Fixture[],
): readonly string[] {
  const faults: string[] = [];
  for (const [type, { version, data }] of Object.entries(events)) {
    for (let each = 1; each <= version; each += 1) {
      const count = fixtures.filter((fixture) => fixture.type === type && fixture.version === each).length;
      if (count !== 1) faults.push(`${type} v${each} has ${count} fixtures instead of one (${howTo})`);
    }
    const newest = fixtures.find((fixture) => fixture.type === type && fixture.version === version);
    if (newest && !mayGrow && newest.schema !== fingerprintOf(data))
      faults.push(
        `the schema of ${type} v${version} changed: give it version ${version + 1} and an upcaster from v${version}`,
      );
  }
  let state = initial;
  fixtures.forEach((fixture, index) => {
    const name = `${fixture.type} v${fixture.version}`;
    try {
      const event = lifted(events, fixture);
      if (evolve)
        state = evolve(state as never, event as never, { at: '2026-01-05T08:00:00.000Z', version: index + 1 });
    } catch (error) {
      faults.push(`${name} cannot be read any more: ${messageOf(error)}`);
    }
  });
  return faults;
}

function lifted(events: EventTypes, { type, version, data }: Fixture): DomainEvent {
  const event = upcast(events, { type, schema: version, data: structuredClone(data) });
  events[type]!.data.parse(event.data);
  return event;
}

const read = (file: string): readonly Fixture[] => (existsSync(file) ? storedJson(readFileSync(file, 'utf8')) : []);

/**
 * The guard of an event catalogue: every version of every event type ever published has one fixture beside the slice,
 * which still upcasts to the newest schema and folds (all of them in the file's order, as one history); and a schema that
 * changed has a new version. `file` is the URL of `<noun>.events.golden.json`. With `GOLDEN=add` (npm run golden) missing
 * fixtures are added first; nothing is ever changed or removed.
 */
export function testEventCatalogue(name: string, evolution: Evolution, file: URL): void {
  const path = fileURLToPath(file);
  if (process.env['GOLDEN'] === 'add') {
    const there = read(path);
    const missing = missingFixtures(evolution.events, there);
    if (missing.length > 0) writeFileSync(path, `${JSON.stringify([...there, ...missing], null, 2)}\n`);
  }
  describe(`every version of the events of ${name}`, () => {
    test('has a fixture that still upcasts and folds, and no schema changed without a new version', () => {
      expect(catalogueFaults(evolution, read(path))).toEqual([]);
    });
  });
}
