import { describe, expect, test } from '@jest/globals';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addArea } from './area.mjs';
import { withElement, withImport } from './edits.mjs';
import { areaNames, serviceNames } from './names.mjs';
import { addService } from './service.mjs';
import { Tree } from './tree.mjs';

const root = join(import.meta.dirname, '../../../../..');

/** Adds an area to a service of this repository, without writing anything. */
const adding = (service: string, noun: string, plural?: string) => () =>
  addArea(new Tree(root), root, service, areaNames(noun, plural));

describe('names of an area', () => {
  test('are one word in each of its forms', () => {
    const names = areaNames('study-badge');
    expect(names).toMatchObject({
      file: 'study-badge',
      folder: 'study-badges',
      noun: 'study_badge',
      nouns: 'study_badges',
    });
    expect(names).toMatchObject({ Type: 'StudyBadge', Types: 'StudyBadges', name: 'studyBadge', names: 'studyBadges' });
    expect(names).toMatchObject({
      words: 'study badge',
      many: 'study badges',
      a: 'a study badge',
      Many: 'Study badges',
    });
  });

  test.each([
    ['badge', 'badges'],
    ['shelf', 'shelves'],
    ['story', 'stories'],
    ['survey', 'surveys'],
    ['glass', 'glasses'],
    ['branch', 'branches'],
    ['roof', 'roofs'],
  ])('several of %s are %s', (noun, several) => expect(areaNames(noun).folder).toBe(several));

  test('have the plural that is said', () => expect(areaNames('person', 'people').Types).toBe('People'));

  test.each([
    ['Badge', 'lower case'],
    ['badge_type', 'single hyphens'],
    ['a--b', 'single hyphens'],
    ['1st', 'lower case'],
    ['../badge', 'lower case'],
    ['', 'lower case'],
    ['x'.repeat(41), 'too long'],
    ['class', 'reserved word'],
    ['badges', 'looks like several'],
  ])('"%s" is refused: %s', (noun, reason) => expect(() => areaNames(noun)).toThrow(reason));

  test('one word for one and several is refused', () =>
    expect(() => areaNames('sheep', 'sheep')).toThrow('needs another word'));
});

describe('an area is not written', () => {
  test.each([
    ['catalog', 'course', '/api/courses is served already'],
    ['catalog', 'section', "Section' already"],
    ['catalog', 'invitation', 'is about an invitation already'],
    ['catalog', 'slice', 'call something else Slice'],
    ['auth', 'badge', 'auth does not consist of areas'],
    ['gateway', 'badge', 'gateway does not consist of areas'],
    ['nowhere', 'badge', 'there is no services/nowhere'],
  ])('into %s about %s: %s', (service, noun, reason) => expect(adding(service, noun)).toThrow(reason));
});

describe('what is written', () => {
  test('all of it is written, or nothing', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lyceum-new-'));
    try {
      writeFileSync(join(folder, 'there.mjs'), 'before;\n');
      const unsound = new Tree(folder);
      unsound.edit('there.mjs', () => 'after');
      unsound.create('new.mjs', 'this is no JavaScript');
      await expect(unsound.write()).rejects.toThrow(SyntaxError);
      expect(readdirSync(folder)).toEqual(['there.mjs']);
      const refused = new Tree(folder);
      refused.edit('there.mjs', () => 'after');
      refused.create('fine/new.mjs', 'fine;');
      refused.create('there.mjs/below.mjs', 'below;');
      await expect(refused.write()).rejects.toThrow('there.mjs');
      expect(readFileSync(join(folder, 'there.mjs'), 'utf8')).toBe('before;\n');
      expect(() => readFileSync(join(folder, 'fine/new.mjs'))).toThrow('ENOENT');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('is no file that is there already', () =>
    expect(() => addService(new Tree(root), serviceNames('catalog'))).toThrow(
      'services/catalog/package.json exists already',
    ));

  test.each([
    ['checkout', 'the gateway calls something of its own checkout'],
    ['mcp', 'the gateway calls something of its own mcp'],
    ['docs', 'DOCS_URL is a setting of its own'],
    ['media-scan', 'MEDIA_SCAN_URL is a setting of its own'],
  ])('is no service that is called %s', (name, reason) =>
    expect(() => addService(new Tree(root), serviceNames(name))).toThrow(reason),
  );

  test('an element goes to the end of its list, whatever the list holds, and its import below the others', () => {
    const text = "import { a } from 'a';\n\nconst all = [a, { b: [1] }];\nconst other = [2];\n";
    expect(withElement(text, /all = \[/, 'c')).toBe(text.replace('{ b: [1] }]', '{ b: [1] }, c]'));
    expect(withElement('all = [\n  a,\n]', /all = \[/, 'c')).toBe('all = [\n  a, c]');
    expect(withElement('all = []', /all = \[/, 'c')).toBe('all = [ c]');
    expect(withElement('none', /all = \[/, 'c')).toBeUndefined();
    expect(withImport(text, "import { c } from 'c';")).toContain("from 'a';\nimport { c } from 'c';\n");
  });
});
