import { runOperator } from './program.ts';

process.exitCode = await runOperator(process.argv.slice(2), process.env, {
  out: (line) => void process.stdout.write(`${line}\n`),
  err: (line) => void process.stderr.write(`${line}\n`),
});
