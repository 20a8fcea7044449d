import { fallback, ownerOf, serviceOf, shared } from './teams.mjs';

/** What a service has outside of its folder: its chart and its workflow. */
const beside = (service) => [`/deploy/charts/${service}/`, `/.github/workflows/service-${service}.yml`];

/**
 * The file CODEOWNERS for these workspaces, of which those in `charted` have a chart. The last line that fits a path counts.
 * Throws for a workspace without an owner.
 */
export function codeOwners(workspaces, charted) {
  const lines = workspaces.flatMap((workspace) => {
    const owner = ownerOf(workspace);
    if (!owner) throw new Error(`${workspace} has no owner: name one in libs/tools/devtools/src/workflows/teams.mjs`);
    const service = serviceOf(workspace);
    const [chart, workflow] = service === undefined ? [] : beside(service);
    const paths = [`/${workspace}/`, ...(charted.includes(service) ? [chart] : []), ...(workflow ? [workflow] : [])];
    return paths.map((path) => [path, owner]);
  });
  const all = [['*', fallback], ...shared, ...lines];
  return [
    '# Written by npm run workflows: the teams stand in libs/tools/devtools/src/workflows/teams.mjs.',
    ...all.map(([path, owner]) => `${path} ${owner}`),
    '',
  ].join('\n');
}
