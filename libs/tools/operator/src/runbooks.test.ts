import { expect, test } from '@jest/globals';
import { commandsOf, runbooks } from '@lyceum/testkit';
import { readCommand } from './program.ts';

test('every lyceum command of docs/runbooks is one, with its subject and its flags', () => {
  const commands = runbooks()
    .flatMap(commandsOf)
    .filter(({ words }) => words[0] === 'lyceum');
  expect(commands.length).toBeGreaterThan(30);
  const wrong = commands.flatMap(({ page, words }) => {
    try {
      // Without words it would be the help.
      if (words.length < 3) return [`${page}: ${words.join(' ')} names no command`];
      readCommand(words.slice(1));
      return [];
    } catch (error) {
      return [`${page}: ${words.join(' ')}: ${(error as Error).message}`];
    }
  });
  expect(wrong).toEqual([]);
});
