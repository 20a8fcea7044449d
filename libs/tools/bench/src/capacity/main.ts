// npm run capacity -- --schools N --learners N [--json] [flags of assumptions] [--costs FILE] [--prices FILE]: the machines,
// the storage, the partitions and the money of an installation, and all that is assumed of it. With --measure it measures
// what the demo stores, and nothing else.
import { Unusable, askedBy } from './arguments.ts';
import { measured } from './measuring.ts';
import { planOf } from './plan.ts';
import { report } from './report.ts';

try {
  const asked = askedBy(process.argv.slice(2));
  if (asked.isMeasuring) process.stdout.write(`${JSON.stringify(await measured(), null, 2)}\n`);
  else {
    const plan = planOf(asked);
    const { given, costs, prices } = asked;
    const document = { given, costs, prices, changed: [...asked.changed], ...plan };
    process.stdout.write(asked.isJson ? `${JSON.stringify(document, null, 2)}\n` : report(asked, plan));
  }
} catch (error) {
  if (!(error instanceof Unusable || error instanceof RangeError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
