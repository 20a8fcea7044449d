import { expect, test } from '@jest/globals';
import { commandsOf } from './runbooks.ts';

test('commands are found in pipes, lists, functions and substitutions, and not in quotes, comments of Markdown or other blocks', () => {
  const text = `
\`\`\`sh
A=1
TOKEN=$(fetch secret -o 'a|b; c') first --flag="$X y" | second 'no | pipe' && third \\
  more
export B=2
name() { inside -- "$@"; }
last &
\`\`\`

\`\`\`promql
no_command | here
\`\`\`
`;
  expect(commandsOf({ name: 'page.md', text }).map(({ words }) => words)).toEqual([
    ['first', '--flag=$X y'],
    ['second', 'no | pipe'],
    ['third', 'more'],
    ['inside', '--', '$@'],
    ['last'],
    ['fetch', 'secret', '-o', 'a|b; c'],
  ]);
});
