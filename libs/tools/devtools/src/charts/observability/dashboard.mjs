// What dashboards of Grafana are made of: panels in rows of 24 columns, asked of the data source and of the namespaces
// that a person chooses above them.

const source = { type: 'prometheus', uid: '${datasource}' };

/** A query and the name of its lines, in which {{label}} stands for a label. */
export const query = (expr, legend = '') => ({ expr, legend });

/** Selects the series of the chosen namespaces, by these matchers besides. Without Kubernetes no series has a namespace. */
export const chosen = (...matchers) => `{${['namespace=~"$namespace"', ...matchers].join(',')}}`;

/** The increase of a counter in a second, over a time that fits the width of the panel. */
export const rate = (selector) => `rate(${selector}[$__rate_interval])`;

const panel = (type, title, unit, queries, { width = 8, height = 8, ...more } = {}) => ({
  type,
  title,
  width,
  height,
  queries,
  fieldConfig: { defaults: { unit, min: 0, ...more }, overrides: [] },
});

/** Lines over time. Units are those of Grafana: reqps, percentunit, s, bytes, short, none. */
export const lines = (title, unit, queries, more) => panel('timeseries', title, unit, queries, more);

/** One number, the last one. */
export const number = (title, unit, queries, more) =>
  panel('stat', title, unit, queries, { width: 4, height: 4, ...more });

/** A number that should be 0: red above. */
export const nothing = (title, expr, more) =>
  number(title, 'none', [query(expr)], {
    thresholds: {
      mode: 'absolute',
      steps: [
        { color: 'green', value: null },
        { color: 'red', value: 1 },
      ],
    },
    noValue: '0',
    ...more,
  });

/** Where each panel of some rows stands, one row below the other. */
function placed(rows) {
  let y = 0;
  return rows.flatMap((row) => {
    let x = 0;
    const top = y;
    y += Math.max(...row.map(({ height }) => height));
    return row.map(({ width, height, queries, ...rest }) => {
      const gridPos = { x, y: top, w: width, h: height };
      x += width;
      if (x > 24) throw new Error(`${rest.title} does not fit into its row`);
      return { ...rest, gridPos, datasource: source, targets: queries.map(targetOf) };
    });
  });
}

const targetOf = ({ expr, legend }, index) => ({
  refId: String.fromCodePoint(65 + index),
  datasource: source,
  expr,
  legendFormat: legend || '__auto',
});

const templating = {
  list: [
    { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' },
    {
      name: 'namespace',
      label: 'Namespace',
      type: 'query',
      datasource: source,
      query: { query: 'label_values(lyceum_ready, namespace)', refId: 'namespaces' },
      refresh: 2,
      multi: true,
      includeAll: true,
      // Without Kubernetes there is no such label, and everything is chosen.
      allValue: '.*',
      current: { text: ['All'], value: ['$__all'] },
    },
  ],
};

/** A dashboard as Grafana keeps it. `uid` stays the same for ever: links name it. */
export const dashboard = ({ uid, title, description, rows }) => ({
  uid,
  title,
  description,
  tags: ['lyceum'],
  schemaVersion: 39,
  editable: true,
  refresh: '30s',
  time: { from: 'now-3h', to: 'now' },
  templating,
  panels: placed(rows).map((each, index) => ({ id: index + 1, ...each })),
});
