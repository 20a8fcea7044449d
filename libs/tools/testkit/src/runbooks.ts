import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './system/system.ts';

/** A page for operators. */
export interface Runbook {
  /** Name of the file. */
  readonly name: string;
  readonly text: string;
}

/** One command of a page: its words without quotes, variables as they stand. */
export interface RunbookCommand {
  readonly page: string;
  readonly words: readonly string[];
}

const folder = join(root, 'docs/runbooks');

/** All pages of docs/runbooks. */
export const runbooks = (): readonly Runbook[] =>
  readdirSync(folder).map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));

/** What stands in the fenced blocks of a language. */
export const blocksOf = ({ text }: Runbook, language: string): readonly string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, block]) => block!);

/** The commands in the blocks marked `sh` of a page, also those in pipes, lists, functions and substitutions. */
export const commandsOf = (page: Runbook): readonly RunbookCommand[] =>
  blocksOf(page, 'sh').flatMap((block) => commandsIn(block).map((words) => ({ page: page.name, words })));

/** One word, or what ends a command. Between single quotes nothing has a meaning; `$(…)` is read by itself. */
const part = /(?<end>\n|&&|\|\||[|;&])|(?<word>(?:'[^']*'|"(?:\\.|[^"\\])*"|\$\([^)]*\)|\\.|[^\s|;&'"\\])+)/g;

function commandsIn(script: string): readonly (readonly string[])[] {
  const commands: string[][] = [[]];
  const inner: (readonly string[])[] = [];
  for (const { groups } of script.replaceAll('\\\n', ' ').matchAll(part)) {
    const { end, word = '' } = groups as { end?: string; word?: string };
    if (end !== undefined) {
      commands.push([]);
      continue;
    }
    for (const [, substituted] of word.matchAll(/\$\(([^)]*)\)/g)) inner.push(...commandsIn(substituted!));
    commands.at(-1)!.push(word.replaceAll(/'([^']*)'|"((?:\\.|[^"\\])*)"/g, '$1$2'));
  }
  return [...commands.map(bare), ...inner].filter((words) => words.length > 0);
}

/** A command without variables that are set before it, and without the frame of a function. */
function bare(words: readonly string[]): readonly string[] {
  const [first = '', second] = words;
  if (/^\w+=/.test(first) || first === '}') return bare(words.slice(1));
  if (/^\w+\(\)$/.test(first) && second === '{') return bare(words.slice(2));
  return first === 'export' ? [] : words;
}
