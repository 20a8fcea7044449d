import { expect, test } from '@jest/globals';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { program } from './program.ts';

async function noted(...argv: string[]): Promise<{ readonly code: number; readonly noted: string }> {
  const lines: string[] = [];
  const code = await program(argv, {
    say: () => undefined,
    note: (line) => lines.push(line),
    open: () => undefined,
    file: join(tmpdir(), 'lyceum-client-no-logins', 'logins.json'),
    signal: AbortSignal.timeout(60_000),
  });
  return { code, noted: lines.join('\n') };
}

/** An address at which nothing listens. */
async function deserted(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => void server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

test.each(['login', 'courses', 'changes'])(
  '%s says that nothing answers, and why',
  async (command) => {
    const { code, noted: said } = await noted(command, '--school', await deserted());
    expect(code).toBe(1);
    expect(said).toContain('Nothing answers at this address (ECONNREFUSED)');
  },
  60_000,
);

test.each([
  [[], 'A command is missing'],
  [['courses'], 'Say which school'],
  [['courses', '--school', 'lantern'], 'no address of a school: lantern'],
  [['courses', 'all', '--school', 'https://lantern.example'], 'takes no more words: all'],
])('%j is told what is wrong with it, and how the program is used', async (argv, fault) => {
  const { code, noted: said } = await noted(...argv);
  expect([code, said]).toEqual([2, expect.stringMatching(new RegExp(`${fault}[^]*lyceum-school <command>`))]);
});
