import { parseArgs } from 'node:util';
import type { FaultKind } from './plan.ts';
import { runSeeds, shrink } from './running/run-seeds.ts';

// npm run simulate -- [--seeds N] [--seconds N] [--first N] [--seed N] [--workers N] [--mutation NAME] [--without KIND,KIND] [--history LINES]
const { values } = parseArgs({
  options: {
    seeds: { type: 'string' },
    seconds: { type: 'string' },
    first: { type: 'string' },
    seed: { type: 'string' },
    workers: { type: 'string' },
    mutation: { type: 'string' },
    without: { type: 'string' },
    history: { type: 'string', default: '80' },
  },
});

const { seed, mutation } = values;
const print = (line: string): boolean => process.stdout.write(`${line}\n`);
const without = (values.without?.split(',') ?? []) as readonly FaultKind[];
const began = performance.now();
const secondsSince = (): number => (performance.now() - began) / 1_000;
let nextWord = 10;

/** Every ten seconds. */
function tell(ran: number): void {
  if (secondsSince() < nextWord) return;
  nextWord += 10;
  process.stderr.write(`${ran} seeds in ${secondsSince().toFixed(0)} s\n`);
}

const done = await runSeeds({
  first: Number(seed ?? values.first ?? 1),
  seeds: seed === undefined ? Number(values.seeds ?? (values.seconds === undefined ? 1_000 : 1e9)) : 1,
  seconds: Number(values.seconds ?? 86_400),
  mutation,
  without,
  ...(values.workers === undefined ? {} : { workers: Number(values.workers) }),
  onProgress: tell,
});
const took = secondsSince();

if (done.found) {
  const least = without.length > 0 ? done.found : await shrink(done.found, mutation);
  for (const line of least.history.slice(-Number(values.history))) print(line);
  print(`seed ${least.seed} with ${least.faults.join(', ') || 'nothing that goes wrong'}: ${least.found}`);
  print(`again: npm run simulate -- --seed ${least.seed}${mutation === undefined ? '' : ` --mutation ${mutation}`}`);
}
print(`${done.seeds} seeds in ${took.toFixed(1)} s: ${done.found ? 'found something' : 'nothing found'}`);
process.exitCode = done.found ? 1 : 0;
