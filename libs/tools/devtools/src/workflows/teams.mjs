// Which team owns what. A service belongs to the team of its name; what all stand on is shared by a few.

/** Teams that own more than a service. */
const platform = '@lyceum/platform';
const storage = '@lyceum/storage';
const api = '@lyceum/api';
const tools = '@lyceum/tools';

/** The team of each library, by its folder. */
const libraries = {
  'libs/channel': storage,
  'libs/client': api,
  'libs/contracts': api,
  'libs/documents': storage,
  'libs/ephemeral': storage,
  'libs/eventlog': storage,
  'libs/host': platform,
  'libs/internal-api': platform,
  'libs/kernel': platform,
  'libs/mail': platform,
  'libs/mongo': storage,
  'libs/oauth': '@lyceum/auth',
  'libs/operations': platform,
  'libs/service': platform,
  'libs/sqlite': storage,
  'libs/web': api,
};

/** Paths outside of workspaces that have an owner of their own. */
export const shared = [
  ['/.ci/', tools],
  ['/.github/', tools],
  ['/SECURITY.md', `${platform} @lyceum/auth`],
  ['/deploy/', platform],
  ['/docs/integration-events/', api],
  ['/package-lock.json', tools],
  ['/renovate.json', tools],
];

/** The owner of what nobody else owns. */
export const fallback = platform;

/** The service of a workspace; undefined for libraries and tools. */
export const serviceOf = (workspace) => /^services\/([a-z0-9-]+)$/.exec(workspace)?.[1];

/** The team that owns a workspace; undefined for a library that the table lacks. */
export function ownerOf(workspace) {
  const service = serviceOf(workspace);
  if (service === 'all-in-one') return platform;
  if (service !== undefined) return `@lyceum/${service}`;
  return workspace.startsWith('libs/tools/') ? tools : libraries[workspace];
}
