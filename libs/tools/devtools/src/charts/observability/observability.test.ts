import { expect, test } from '@jest/globals';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
// @ts-expect-error -- the tools of the house are plain JavaScript
import { chartsFolder } from '../chart-folders.mjs';
import {
  type Objects,
  type Values,
  describeRendered,
  ofKind,
  platform,
  refusal,
  rendered,
  sizes,
} from '../rendered.ts';
// @ts-expect-error -- the tools of the house are plain JavaScript
import { chosen, dashboard, lines, query } from './dashboard.mjs';

const chart = 'observability';
const files = join(chartsFolder as string, chart, 'files');
const read = (...path: string[]) => readFileSync(join(files, ...path), 'utf8');
const alertFiles = readdirSync(join(files, 'alerts')).toSorted();
const groupsOf = (objects: Objects) =>
  objects.get('PrometheusRule/lyceum')!.spec.groups as {
    name: string;
    rules: { alert: string; annotations: Record<string, string> }[];
  }[];
const alertsOf = (values: Values) => groupsOf(rendered(chart, values)).flatMap(({ rules }) => rules);

describeRendered('the chart of alerts and dashboards', () => {
  test('has the alerts as they stand in the files', () => {
    const groups = alertFiles.flatMap((file) => (parse(read('alerts', file)) as { groups: unknown[] }).groups);
    expect(groups.length).toBeGreaterThan(3);
    expect(groupsOf(rendered(chart, {}))).toEqual(groups);
  });

  test('has a ConfigMap for each dashboard, with the label that the sidecar looks for', () => {
    const maps = ofKind(rendered(chart, {}), 'ConfigMap') as unknown as {
      metadata: { name: string; labels: Record<string, string> };
      data: Record<string, string>;
    }[];
    const names = readdirSync(join(files, 'dashboards')).toSorted();
    expect(names.length).toBeGreaterThan(2);
    expect(maps.map(({ data }) => Object.keys(data))).toEqual(names.map((name) => [`lyceum-${name}`]));
    for (const [index, { metadata, data }] of maps.entries()) {
      expect(metadata.labels).toMatchObject({ grafana_dashboard: '1', 'app.kubernetes.io/instance': 'lyceum' });
      expect(JSON.parse(Object.values(data)[0]!)).toEqual(JSON.parse(read('dashboards', names[index]!)));
    }
  });

  test('finds its pages below an address, leaves alerts out, and takes labels', () => {
    const given = { runbooks: 'https://pages.example/lyceum/', without: ['LyceumBusy'], labels: { release: 'watch' } };
    const alerts = alertsOf({ alerts: given });
    expect(alerts).toHaveLength(alertsOf({}).length - 1);
    for (const { alert, annotations } of alerts)
      expect(annotations['runbook_url']).toBe(`https://pages.example/lyceum/docs/runbooks/${alert}.md`);
    const { labels } = rendered(chart, { alerts: given }).get('PrometheusRule/lyceum')!.metadata;
    expect(labels).toMatchObject({ release: 'watch' });
  });

  test('renders one without the other, and reads the values that other charts share', () => {
    const kinds = (values: Values) => [...new Set([...rendered(chart, values).values()].map(({ kind }) => kind))];
    expect(kinds({ dashboards: { enabled: false } })).toEqual(['PrometheusRule']);
    expect(kinds({ alerts: { enabled: false } })).toEqual(['ConfigMap']);
    const global = { lyceum: { installation: 'north', settings: { BASE_URL: 'https://school.example' } } };
    for (const { metadata } of rendered(chart, { global }).values())
      expect(metadata.labels['app.kubernetes.io/instance']).toBe('north');
  });

  test.each<[what: string, values: Values, named: RegExp]>([
    ['an unknown name', { alarms: {} }, /alarms/],
    ['an unknown name further in', { alerts: { runbook: '' } }, /runbook/],
    ['an alert that there is not', { alerts: { without: ['LyceumBuzy'] } }, /LyceumBuzy, which is no alert/],
    ['an address that is none', { alerts: { runbooks: 'pages.example' } }, /runbooks/],
    ['dashboards that nothing finds', { dashboards: { labels: { grafana_dashboard: null } } }, /labels/],
  ])('refuses %s', (_, values, named) => expect(refusal(chart, values)).toMatch(named));

  test('is no part of an installation that does not ask for it', () => {
    for (const size of sizes) {
      const objects = platform(size);
      expect([...ofKind(objects, 'PrometheusRule'), ...ofKind(objects, 'ConfigMap')]).toEqual([]);
    }
  });

  test('alerts select the job that PodMonitors give', () => {
    const monitors = ofKind(platform('large'), 'PodMonitor');
    expect(monitors.length).toBeGreaterThan(5);
    for (const { spec } of monitors) expect(spec.jobLabel).toBe('app.kubernetes.io/part-of');
    for (const { spec } of ofKind(platform('large'), 'Deployment'))
      expect(spec.template.metadata.labels['app.kubernetes.io/part-of']).toBe('lyceum');
  });
});

test('panels stand beside each other, and the next row below the highest of them', () => {
  const one = lines('one', 's', [query(`a${chosen('b="c"')}`, '{{b}}')]);
  const high = lines('high', 's', [query('d'), query('e')], { width: 16, height: 10 });
  const { panels } = dashboard({ uid: 'u', title: 't', description: 'd', rows: [[one, high], [one]] });
  expect(panels.map(({ gridPos }: { gridPos: unknown }) => gridPos)).toEqual([
    { x: 0, y: 0, w: 8, h: 8 },
    { x: 8, y: 0, w: 16, h: 10 },
    { x: 0, y: 10, w: 8, h: 8 },
  ]);
  expect(panels[0].targets).toMatchObject([
    { refId: 'A', expr: 'a{namespace=~"$namespace",b="c"}', legendFormat: '{{b}}' },
  ]);
  expect(panels[1].targets).toMatchObject([{ refId: 'A' }, { refId: 'B', legendFormat: '__auto' }]);
  const wide = lines('wide', 's', [query('d')], { width: 25 });
  expect(() => dashboard({ uid: 'u', title: 't', description: 'd', rows: [[wide]] })).toThrow('wide does not fit');
});
