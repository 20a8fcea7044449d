import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fromLine, storedLine, toLine } from './storage/line.ts';
import {
  type CommitRecord,
  type PackedRecord,
  commitOf,
  packed,
  recordOf,
  unpacked,
} from './mongodb/mongodb-record.ts';
import type { StoredCommit } from './storage/store.ts';

/** A commit and its stored forms, written by the build of cf2210f. */
const old = JSON.parse(readFileSync(join(import.meta.dirname, 'stored-forms.golden.json'), 'utf8')) as {
  readonly commit: StoredCommit;
  readonly line: string;
  readonly record: CommitRecord;
  readonly packed: PackedRecord;
};

describe('two releases on one log', () => {
  test('a commit that cf2210f stored is read', () => {
    expect(storedLine(old.line)).toEqual(old.commit);
    expect(commitOf(3, old.record)).toEqual(old.commit);
    expect(unpacked(3, old.packed)).toEqual(old.commit);
  });

  test('what is stored now differs for cf2210f in what it does not read', () => {
    const { crc: _, ...record } = recordOf(old.commit);
    expect(record).toEqual(old.record);
    const { crc: __, ...pack } = packed(old.commit);
    expect(pack).toEqual(old.packed);
    // It splits the line at its tabs and takes the first three parts.
    expect(toLine(old.commit).split('\t').slice(0, 3)).toEqual(old.line.split('\t'));
    expect(fromLine(toLine(old.commit))).toEqual(old.commit);
  });
});
