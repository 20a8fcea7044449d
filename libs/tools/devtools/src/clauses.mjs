// npm run clauses: writes docs/clauses.md, which says what test holds the system to which clause, from docs/clauses.json
// and the titles of all tests. A title belongs to the clause that it begins with, or to the scenario of a row that has no
// clause. `npm run check` calls clauseProblems.
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

/** Any title of a test or of a table of tests, on the line of its call or on the next. */
const anyTitle = /(?:test|describe)(?:\.each)?[^\n]*?\(\s*(['"`])([^\n]*?)\1(?=[,\s)\]])/g;

function titlesOf(file) {
  const source = readFileSync(file, 'utf8');
  const found = (form) => [...source.matchAll(form)].map(([, , text]) => ({ file, text: text.replaceAll("\\'", "'") }));
  return { clauses: found(title), scenarios: found(anyTitle) };
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
  const titles = suites().sort().map(titlesOf);
  const [clauses, scenarios] = ['clauses', 'scenarios'].map((kind) => titles.flatMap((each) => each[kind]));
  const testsOf = ({ clause, scenario, titled = '' }) =>
    scenario === undefined
      ? clauses.filter(({ text }) => text.startsWith(`${clause}: `) && new RegExp(titled, 'i').test(text))
      : scenarios.filter(({ text }) => text.startsWith(titled || scenario));
  const { sections } = JSON.parse(readFileSync(list, 'utf8'));
  return sections.map(({ title: heading, rows }) => ({
    heading,
    rows: rows.map((row) => ({ ...row, tests: testsOf(row) })),
  }));
}

const plain = (text) => text.replaceAll('<', '&lt;').replaceAll('*', '\\*');

const item = ({ clause, scenario, rule, tests }) => [
  scenario === undefined ? `- **${clause}**: ${plain(rule)}` : `- ${plain(scenario)}`,
  ...tests.map(({ text, file }) => {
    const said = scenario === undefined ? text.slice(clause.length + 2) : text;
    return `  - ${plain(said)} ([${basename(file)}](../${file}))`;
  }),
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
    'What the authorization server promises, clause by clause, and at the end what the schools do in the scenarios by which',
    'they are accepted, with the tests that hold them to that. Written by `npm run clauses` from `docs/clauses.json` and the',
    'titles of the tests; `npm run check` fails when a clause has no test or this page is not up to date. `%s` stands for the',
    'cases of a table.',
    ...sections.flatMap(({ heading, rows }) => ['', `## ${heading}`, '', ...rows.flatMap(item)]),
    '',
  ].join('\n');
  return formatted(text);
}

/** What is wrong with the clauses, as sentences. Empty = nothing. */
export function clauseProblems() {
  const sections = rowsWithTests();
  const bare = sections.flatMap(({ rows }) => rows).filter(({ tests }) => tests.length === 0);
  const problems = bare.map(({ clause, scenario, titled, rule }) =>
    scenario === undefined
      ? `no test begins with "${clause}: " and is about: ${rule}`
      : `no test begins with "${titled ?? scenario}"`,
  );
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
