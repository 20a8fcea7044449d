// npm run workflows: writes the workflow of each service's team and CODEOWNERS. Whether they are what it would write is asked
// by npm run check. The workflows that these call are written by hand, and so are their pinned actions.
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv } from 'node:process';
import { pathToFileURL } from 'node:url';
import { charts, serviceNames } from './charts/chart-folders.mjs';
import { lockedPackages, neededWorkspaces, workspacesOf } from './supply-chain/shipped.mjs';
import { codeOwners } from './workflows/code-owners.mjs';
import { serviceWorkflow } from './workflows/service-workflow.mjs';
import { serviceOf } from './workflows/teams.mjs';

const folder = '.github/workflows';

/** Each service with the charts that go with it; what no service has goes with the whole system. */
export function servicesWithCharts(workspaces = workspacesOf(lockedPackages())) {
  const shared = charts.filter((chart) => !serviceNames.includes(chart));
  return workspaces
    .map(serviceOf)
    .filter((service) => service !== undefined)
    .map((service) => ({ service, charts: service === 'all-in-one' ? shared : [service] }));
}

/** The files that are written, by path. */
export function writtenWorkflows() {
  const workspaces = workspacesOf(lockedPackages());
  const workflows = servicesWithCharts(workspaces).map((each) => [
    join(folder, `service-${each.service}.yml`),
    serviceWorkflow(each.service, neededWorkspaces(`services/${each.service}`), each.charts),
  ]);
  return Object.fromEntries([...workflows, ['.github/CODEOWNERS', codeOwners(workspaces, serviceNames)]]);
}

/** Workflows of services that are not there any more. */
const left = (written) =>
  readdirSync(folder)
    .filter((name) => name.startsWith('service-'))
    .map((name) => join(folder, name))
    .filter((path) => !(path in written));

/** Which files are not what would be written, as sentences. */
export function workflowProblems() {
  const written = writtenWorkflows();
  return [
    ...Object.entries(written)
      .filter(([path, text]) => !existsSync(path) || readFileSync(path, 'utf8') !== text)
      .map(([path]) => `${path} is stale: run npm run workflows`),
    ...left(written).map((path) => `${path} is of a service that is not there: run npm run workflows`),
  ];
}

if (argv[1] !== undefined && import.meta.url === pathToFileURL(argv[1]).href) {
  const written = writtenWorkflows();
  for (const path of left(written)) rmSync(path);
  for (const [path, text] of Object.entries(written)) writeFileSync(path, text);
  console.log(`Written: ${Object.keys(written).join(', ')}`);
}
