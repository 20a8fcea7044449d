// The values of the umbrella: which charts it has, what they share, and the values of each under its name.
import { flag, group } from './schema-parts.mjs';
import { serviceNames } from './service-values.mjs';
import { shared } from './shared-values.mjs';

/** Charts that the umbrella has. */
const parts = [...serviceNames, 'tenancy'];

export const platformSchema = () => ({
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Values of the chart platform',
  ...group('Values of the chart platform', {
    global: shared,
    charts: group(
      'Charts of this release. A service that a team releases by itself is false here',
      Object.fromEntries(parts.map((name) => [name, flag(`Whether the release has ${name}`, name !== 'tenancy')])),
    ),
    ...Object.fromEntries(
      parts.map((name) => [name, { type: 'object', description: `Values of the chart ${name}`, default: {} }]),
    ),
  }),
  required: ['global'],
});
