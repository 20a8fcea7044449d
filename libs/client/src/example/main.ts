#!/usr/bin/env node
import { homedir } from 'node:os';
import { join } from 'node:path';
import { openBrowser } from './open-browser.ts';
import { program } from './program.ts';

const enough = new AbortController();
process.once('SIGINT', () => enough.abort());

process.exitCode = await program(process.argv.slice(2), {
  say: (line) => void process.stdout.write(`${line}\n`),
  note: (line) => void process.stderr.write(`${line}\n`),
  open: openBrowser,
  file: join(homedir(), '.config', 'lyceum-school', 'logins.json'),
  signal: enough.signal,
});
