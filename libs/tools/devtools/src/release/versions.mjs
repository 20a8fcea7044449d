// Where the version of the release stands: manifests, lock file, charts, descriptions of the API, the compose file.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { lockedPackages, workspacesOf } from '../supply-chain/shipped.mjs';

/** Places other than JSON, by file: what stands before the version and after it. All of them change, one at least. */
const places = {
  'docker-compose.yml': [/(image: lyceum-[a-z-]+:)(\d+\.\d+\.\d+)()$/gm],
  'deploy/docker/Dockerfile': [/(-t lyceum-[a-z-]+:)(\d+\.\d+\.\d+)( \.)$/gm],
  'libs/web/src/openapi/openapi.ts': [/(version: ')(\d+\.\d+\.\d+)(')/g],
  'services/auth/src/openapi/openapi.ts': [/(version: ')(\d+\.\d+\.\d+)(')/g],
};
const chartPlaces = [/^((?:app)?[vV]ersion: )(\d+\.\d+\.\d+)()$/gm, /^( {4}version: )(\d+\.\d+\.\d+)()$/gm];

const json = (value) => `${JSON.stringify(value, null, 2)}\n`;
const manifestsOf = (folder) => ['', ...workspacesOf(lockedPackages(folder))].map((each) => join(each, 'package.json'));
const chartsOf = (folder) =>
  readdirSync(join(folder, 'deploy/charts')).map((each) => `deploy/charts/${each}/Chart.yaml`);
const placesOf = (folder) => ({
  ...Object.fromEntries(chartsOf(folder).map((file) => [file, chartPlaces])),
  ...places,
});

/** The version that a repository is of. */
export const versionOf = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version;

/** The files that a version changes, with what stands in them then. */
export function withVersion(folder, version) {
  const read = (file) => readFileSync(join(folder, file), 'utf8');
  const manifests = manifestsOf(folder).map((file) => [file, json({ ...JSON.parse(read(file)), version })]);
  const lock = JSON.parse(read('package-lock.json'));
  for (const place of ['', ...workspacesOf(lock.packages)]) lock.packages[place].version = version;
  const others = Object.entries(placesOf(folder)).map(([file, patterns]) => [
    file,
    patterns.reduce((text, pattern) => text.replaceAll(pattern, `$1${version}$3`), read(file)),
  ]);
  return Object.fromEntries([...manifests, ['package-lock.json', json({ ...lock, version })], ...others]);
}

/** Files that are not of the version of the repository, or in which no version is found any more, as sentences. */
export function versionProblems(folder) {
  const version = versionOf(folder);
  const read = (file) => readFileSync(join(folder, file), 'utf8');
  const stale = Object.entries(withVersion(folder, version))
    .filter(([file, text]) => text !== read(file))
    .map(([file]) => `${file} is not of the version ${version}, which package.json has`);
  const lost = Object.entries(placesOf(folder))
    .filter(([file, patterns]) => patterns.every((pattern) => read(file).search(pattern) < 0))
    .map(([file]) => `${file} names no version where libs/tools/devtools/src/release/versions.mjs looks for it`);
  return [...stale, ...lost];
}
