// npm run doctor: what this machine has and lacks for running, testing and changing the project, with the remedy.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { availableParallelism, totalmem } from 'node:os';

const atLeast = (version, least) => {
  const [a, b] = [version, least].map((text) => text.split('.').map(Number));
  for (const index of [0, 1, 2]) if (a[index] !== b[index]) return a[index] > b[index];
  return true;
};
const answers = (name, ...args) => {
  const { status, stdout } = spawnSync(name, args, { encoding: 'utf8', shell: process.platform === 'win32' });
  return status === 0 ? stdout.trim().split('\n')[0] : undefined;
};
const free = (port) =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
const writable = (folder) => {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
};

const wanted = JSON.parse(readFileSync('package.json', 'utf8')).engines.node.replace('>=', '');
const npm = answers('npm', '--version');
const port = Number(process.env['PORT'] ?? 8080);
const chromium = [
  process.env['CHROMIUM_PATH'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => path && existsSync(path));

const python = answers('python3', '-m', 'venv', '--help') && answers('python3', '--version');

const needed = [
  ['node', atLeast(process.versions.node, wanted), process.versions.node, `install Node.js ${wanted} or newer`],
  ['npm', npm !== undefined && atLeast(npm, '10.0.0'), npm ?? 'absent', 'install npm 10 or newer'],
  ['packages', existsSync('node_modules/.package-lock.json'), 'node_modules', 'run npm ci'],
  [
    'data folder',
    writable(process.env['DATA_DIR'] ?? 'data'),
    process.env['DATA_DIR'] ?? './data',
    'make it writable or set DATA_DIR',
  ],
  [`port ${port}`, await free(port), 'free', 'stop what listens there or set PORT'],
  ['memory', totalmem() > 512 * 1024 ** 2, `${Math.round(totalmem() / 1024 ** 2)} MB`, 'give it 512 MB or more'],
];
const useful = [
  [
    'chromium',
    chromium !== undefined,
    chromium ?? 'absent',
    'browser tests are skipped; install chromium or set CHROMIUM_PATH',
  ],
  [
    'python3',
    python !== undefined,
    python ?? 'absent',
    'the consumer of docs/examples is not tested; install python3 and python3-venv',
  ],
  ['cores', availableParallelism() >= 2, String(availableParallelism()), 'tests are slower on one core'],
];

let failed = 0;
for (const [name, holds, value, remedy] of needed) {
  console.log(holds ? `ok    ${name}: ${value}` : `FAIL  ${name}: ${value} - ${remedy}`);
  failed += holds ? 0 : 1;
}
for (const [name, holds, value, remedy] of useful)
  console.log(holds ? `ok    ${name}: ${value}` : `note  ${name}: ${value} - ${remedy}`);
process.exitCode = failed === 0 ? 0 : 1;
