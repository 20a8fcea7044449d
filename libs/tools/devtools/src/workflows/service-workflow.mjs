/** What concerns every service, beside its workspaces: how it is built, tested and packed. */
const common = [
  '.github/workflows/attest.yml',
  '.github/workflows/service.yml',
  'deploy/charts/lib/**',
  'deploy/docker/**',
  'deploy/values/**',
  'jest.config.mjs',
  'libs/tools/devtools/**',
  'package-lock.json',
  'package.json',
  'tsconfig*.json',
];

/**
 * The workflow of the team of one service: it runs when something changes that the service is built, tested or packed
 * with. `workspaces` are the folders that it needs, itself among them, and `charts` those that go with it.
 */
export function serviceWorkflow(service, workspaces, charts) {
  const paths = [
    ...common,
    `.github/workflows/service-${service}.yml`,
    ...charts.map((chart) => `deploy/charts/${chart}/**`),
    ...workspaces.map((workspace) => `${workspace}/**`),
  ];
  const filter = [...new Set(paths)].toSorted().map((path) => `      - '${path}'`);
  return `# Written by npm run workflows: paths are what services/${service} depends on, by the lock file.
name: 'Service: ${service}'

on:
  push:
    branches: [main]
    paths:
${filter.join('\n')}
  pull_request:
    paths:
${filter.join('\n')}
  workflow_dispatch:

permissions: {}

concurrency:
  group: service-${service}-\${{ github.ref }}
  cancel-in-progress: \${{ github.event_name == 'pull_request' }}

jobs:
  service:
    name: ${service}
    uses: ./.github/workflows/service.yml
    permissions:
      contents: read # to check out
    with:
      service: ${service}
      charts: ${charts.join(' ')}

  attest:
    name: Attest ${service}
    needs: service
    if: github.event_name == 'push'
    uses: ./.github/workflows/attest.yml
    permissions:
      id-token: write # to sign as this workflow
      attestations: write # to keep what is signed
    with:
      service: ${service}
`;
}
