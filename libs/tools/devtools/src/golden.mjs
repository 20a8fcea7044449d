// npm run golden: adds a fixture for every event version that has none (see testkit/golden). Nothing of them is
// changed or removed. Documents that say what the code says (docs/settings.md, docs/integration-events) are written anew.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const { status } = spawnSync(join('node_modules', '.bin', 'jest'), ['golden', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: {
    ...process.env,
    GOLDEN: 'add',
    NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --experimental-vm-modules --no-warnings`.trim(),
  },
});
process.exitCode = status ?? 1;
