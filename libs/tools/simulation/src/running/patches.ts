import { readFileSync } from 'node:fs';
import { register } from 'node:module';

/** A change of one module's compiled text as it is loaded. `from` stands there exactly once. */
export interface Patch {
  /** Path of the module from `libs`. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** Where the simulation takes the place of what cannot be given as an argument. */
const seams: readonly Patch[] = [
  {
    file: 'mongo/dist/mongodb-connection.js',
    from: 'export async function openMongo(options) {',
    to: "export async function openMongo(options) { return globalThis[Symbol.for('lyceum.simulation')].connect();",
  },
  {
    // Real timers, of which there would be one for each request.
    file: 'mongo/dist/mongodb-time.js',
    from: '({ signal: AbortSignal.timeout(milliseconds) })',
    to: '({})',
  },
  {
    // Timers end with the process that set them: processes must not wait for the moments of another one.
    file: 'kernel/dist/time/moments.js',
    from: 'const known = moments.get(period) ?? new Moments(period);',
    to: "const moments = globalThis[Symbol.for('lyceum.simulation')].moments(); const known = moments.get(period) ?? new Moments(period);",
  },
  {
    // As for a log of 25 lanes and more: most of what is simulated would be looks that find nothing.
    file: 'eventlog/dist/mongodb/change-poller.js',
    from: 'const longest = 250;',
    to: 'const longest = 500;',
  },
  {
    file: 'eventlog/dist/mongodb/change-poller.js',
    from: 'Math.max(100, 10 * lanes)',
    to: '500',
  },
  {
    // Room for what no simulated request asks for, given for each start of a process.
    file: 'oauth/dist/tokens/verifier.js',
    from: 'const cache = new BoundedMap(remembered);\n    const forged = new BoundedMap(remembered);',
    to: 'const cache = new BoundedMap(1);\n    const forged = new BoundedMap(1);',
  },
  {
    file: 'oauth/dist/tokens/bad-signature-limiter.js',
    from: '#until = new BoundedMap(remembered);',
    to: '#until = new BoundedMap(1);',
  },
];

const urlOf = (file: string): URL => new URL(`../../../../${file}`, import.meta.url);

/** Has these modules loaded with these changes. Throws when a module does not have a text, or has it twice. */
export function patchModules(more: readonly Patch[]): void {
  const patches = [...seams, ...more];
  for (const { file, from } of patches) {
    const times = readFileSync(urlOf(file), 'utf8').split(from).length - 1;
    if (times !== 1) throw new Error(`${file} has ${times} times, not once: ${from}`);
  }
  const data = patches.map(({ file, from, to }) => ({ url: urlOf(file).href, from, to }));
  register(new URL('./hooks.js', import.meta.url), { data });
}
