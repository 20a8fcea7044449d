// node deploy/docker/runtime-tree.mjs <service> <folder>: writes what one service needs to run into a folder, from a checkout
// that was installed and built: compiled code of its workspaces, the packages that they depend on, licences and a bill of
// materials (CycloneDX). npm ci --omit=dev would take what the tests of other workspaces need as well. Times of files are
// SOURCE_DATE_EPOCH (seconds; 0 when unset), so that the same checkout gives the same bytes.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { closureOf, isWorkspace } from '../../libs/tools/devtools/src/supply-chain/closure.mjs';

const [service = '', target = ''] = process.argv.slice(2);
const home = `services/${service}`;
if (!service || !target || !existsSync(join(home, 'dist/main.js')))
  throw new Error(`usage: runtime-tree.mjs <service> <folder>, after a build: no ${home}/dist/main.js`);
if (existsSync(target) && readdirSync(target).length > 0) throw new Error(`${target} is not empty`);

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages;

/** Packages of which only files are sent to browsers: what they depend on is bundled in these. */
const sentAsFiles = ['node_modules/openapi-explorer'];

const { found, links } = closureOf(lock, [home], { leaves: sentAsFiles, isInstalled: existsSync });
links.set(`node_modules/@lyceum/service-${service}`, home);

const writeJson = (path, value) => writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);

/** What programs do not read when they run. */
const isLeftOut = (path) =>
  /\.([cm]?ts|map|tsbuildinfo|md|markdown)$/i.test(path) &&
  !/(^|\/)(licen[cs]e|notice|copying)[^/]*\.(md|markdown)$/i.test(path);

for (const place of found) {
  const to = join(target, place);
  mkdirSync(to, { recursive: true });
  if (isWorkspace(place)) {
    const { devDependencies: _, ...manifest } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'));
    writeJson(join(to, 'package.json'), manifest);
    cpSync(join(place, 'dist'), join(to, 'dist'), { recursive: true, filter: (path) => !isLeftOut(path) });
  } else {
    const root = realpathSync(place);
    // Packages inside of it are places of their own.
    const filter = (path) => relative(root, path) !== 'node_modules' && !isLeftOut(path);
    cpSync(root, to, { recursive: true, filter, dereference: true });
    if (sentAsFiles.includes(place)) {
      const { dependencies: _, ...manifest } = JSON.parse(readFileSync(join(to, 'package.json'), 'utf8'));
      writeJson(join(to, 'package.json'), manifest);
    }
  }
}
for (const [at, resolved] of links) {
  mkdirSync(dirname(join(target, at)), { recursive: true });
  symlinkSync(relative(dirname(at), resolved), join(target, at));
}

const { version, description, license } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
const workspaces = found.filter(isWorkspace);
const about = { name: `lyceum-${service}`, version, description, license, private: true, type: 'module', workspaces };
writeJson(join(target, 'package.json'), about);
writeFileSync(join(target, 'main.js'), `import './${home}/dist/main.js';\n`);
cpSync('LICENSE', join(target, 'LICENSE'));

const sbom = execFileSync('npm', ['sbom', '--sbom-format=cyclonedx', '--offline'], {
  cwd: target,
  encoding: 'utf8',
  maxBuffer: 2 ** 26,
});
const epoch = Number(process.env['SOURCE_DATE_EPOCH'] ?? 0);
const bill = JSON.parse(sbom);
delete bill.serialNumber;
bill.metadata.component.name = about.name;
bill.metadata.timestamp = new Date(epoch * 1_000).toISOString();
writeJson(join(target, 'sbom.cdx.json'), bill);

/** Gives a folder and all in it one time. */
function settle(path) {
  if (lstatSync(path).isDirectory()) for (const name of readdirSync(path)) settle(join(path, name));
  lutimesSync(path, epoch, epoch);
}
settle(resolve(target));
console.log(`${target}: ${workspaces.length} workspaces, ${found.length - workspaces.length} packages`);
