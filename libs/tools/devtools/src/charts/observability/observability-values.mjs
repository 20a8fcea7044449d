// The values of the chart of alerts and dashboards.
import { flag, group, list, ofKubernetes, ofLibrary, text } from '../schema-parts.mjs';

export const observabilitySchema = () => ({
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Values of the chart observability',
  ...group('Values of the chart observability', {
    // What other charts share may stand in the same file: of that the name of the installation is read, where it is given.
    global: { type: 'object', default: {}, description: 'Only global.lyceum.installation is read here' },
    alerts: group('A PrometheusRule of the Prometheus operator', {
      enabled: flag('Whether there is one', true),
      labels: ofKubernetes('Labels by which Prometheus finds it', 'object'),
      runbooks: text(
        'Address in front of the path of a page (docs/runbooks/LyceumDown.md), e.g. of this repository at its tag; empty = the path alone',
        '',
        { pattern: '^https?://|^$' },
      ),
      without: list('Names of alerts that are left out', { type: 'string', pattern: '^Lyceum[A-Za-z]+$' }),
    }),
    dashboards: group('A ConfigMap for each dashboard, which the sidecar of Grafana reads', {
      enabled: flag('Whether there are any', true),
      labels: {
        type: 'object',
        description: 'Labels by which the sidecar finds them',
        default: { grafana_dashboard: '1' },
        additionalProperties: { type: 'string' },
        minProperties: 1,
      },
      annotations: ofKubernetes('Annotations, e.g. the folder that the sidecar puts them into', 'object'),
    }),
    lib: ofLibrary,
  }),
});
