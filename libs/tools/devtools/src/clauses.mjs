// npm run clauses: writes docs/clauses.md, which says what test holds the system to which clause, from docs/clauses.json
// and the titles of all tests. A title belongs to the clause that it begins with. `npm run check` calls clauseProblems.
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { argv } from 'node:process';
import { pathToFileURL } from 'node:url';

const list = join('docs', 'clauses.json');
const page = join('docs', 'clauses.md');

/** Titles in a test file that begin with a clause: literals such as 'RFC 7009 §2.2: an unknown token still yields 200'. */
const title =
  /(['"`])((?:RFC \d+|OIDC|OpenID|OAuth|RP-Initiated|Back-Channel|CIMD)[^\n]*?§[\d.]+: [^\n]*?)\1(?=[,\s)\]])/g;

function titlesOf(file) {
  return [...readFileSync(file, 'utf8').matchAll(title)].map(([, , text]) => ({
    file,
    text: text.replaceAll("\\'", "'"),
  }));
}

/** Suites, and the conformance suites that several of them share. */
const suites = () =>
  ['libs', 'libs/tools', 'services'].flatMap((group) =>
    readdirSync(group).flatMap((name) => {
      const source = join(group, name, 'src');
      try {
        return readdirSync(source, { recursive: true })
          .filter((file) => /\.test\.ts$|(^|[/\\])testing[^/\\]*\.ts$/.test(file))
          .map((file) => join(source, file).replaceAll('\\', '/'));
      } catch {
        return [];
      }
    }),
  );

/** The rows of the list, each with the tests that hold it. `titled` narrows them when several rows share a clause. */
function rowsWithTests() {
  const titles = suites().sort().flatMap(titlesOf);
  const { sections } = JSON.parse(readFileSync(list, 'utf8'));
  return sections.map(({ title: heading, rows }) => ({
    heading,
    rows: rows.map((row) => ({
      ...row,
      tests: titles.filter(
        ({ text }) => text.startsWith(`${row.clause}: `) && new RegExp(row.titled ?? '', 'i').test(text),
      ),
    })),
  }));
}

const plain = (text) => text.replaceAll('<', '&lt;').replaceAll('*', '\\*');

const item = ({ clause, rule, tests }) => [
  `- **${clause}**: ${plain(rule)}`,
  ...tests.map(({ text, file }) => `  - ${plain(text.slice(clause.length + 2))} ([${basename(file)}](../${file}))`),
];

/** As `npm run format` would leave it. */
function formatted(text) {
  const bin = join('node_modules', '.bin', 'prettier');
  const { status, stdout, stderr } = spawnSync(bin, ['--stdin-filepath', page], { input: text, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

function pageOf(sections) {
  const text = [
    '# Clauses',
    '',
    'What the authorization server promises, clause by clause, and the tests that hold it to that. Written by',
    '`npm run clauses` from `docs/clauses.json` and the titles of the tests; `npm run check` fails when a clause has no test',
    'or this page is not up to date. `%s` stands for the cases of a table.',
    ...sections.flatMap(({ heading, rows }) => ['', `## ${heading}`, '', ...rows.flatMap(item)]),
    '',
  ].join('\n');
  return formatted(text);
}

/** What is wrong with the clauses, as sentences. Empty = nothing. */
export function clauseProblems() {
  const sections = rowsWithTests();
  const bare = sections.flatMap(({ rows }) => rows).filter(({ tests }) => tests.length === 0);
  const problems = bare.map(({ clause, rule }) => `no test begins with "${clause}: " and is about: ${rule}`);
  let written = '';
  try {
    written = readFileSync(page, 'utf8');
  } catch {
    // It is to be written then.
  }
  if (written !== pageOf(sections)) problems.push(`${page} is not up to date: npm run clauses`);
  return problems;
}

if (import.meta.url === pathToFileURL(argv[1]).href) {
  writeFileSync(page, pageOf(rowsWithTests()));
  for (const problem of clauseProblems()) {
    console.error(problem);
    process.exitCode = 1;
  }
}
