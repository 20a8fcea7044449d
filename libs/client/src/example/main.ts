#!/usr/bin/env node
import { homedir } from 'node:os';
import { join } from 'node:path';
import { openBrowser } from './open-browser.ts';
import { program } from './program.ts';

const enough = new AbortController();
process.once('SIGINT', () => enough.abort());

process.exitCode = await program(process.argv.slice(2), {
  say: (line) => console.log(line),
  note: (line) => console.error(line),
  open: openBrowser,
  file: join(homedir(), '.config', 'lyceum-school', 'logins.json'),
  signal: enough.signal,
});
