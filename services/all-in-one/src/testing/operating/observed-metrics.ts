import { parser } from '@prometheus-io/lezer-promql';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';

/** The chart that has the alerts and the dashboards. */
const chart = join(import.meta.dirname, '../../../../../deploy/charts/observability/files');
/** The rules, as files of Prometheus. */
export const alertsFolder = join(chart, 'alerts');

/** A query, and where it stands. */
interface Query {
  readonly at: string;
  readonly expression: string;
}

/** An alert, as far as the tests look at it. */
interface Rule {
  readonly alert: string;
  readonly expr: string;
}

const filesOf = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder)).map((name) => join(folder, name));

/** All alerts. */
export async function alertRules(): Promise<readonly Rule[]> {
  const texts = await Promise.all((await filesOf(alertsFolder)).map((file) => readFile(file, 'utf8')));
  return texts.flatMap((text) => (parse(text) as { groups: { rules: Rule[] }[] }).groups).flatMap(({ rules }) => rules);
}

interface Dashboard {
  readonly title: string;
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly query: unknown }[] };
}

/** All queries of alerts and dashboards, also those by which dashboards offer a choice. */
export async function observingQueries(): Promise<readonly Query[]> {
  const alerts = (await alertRules()).map(({ alert, expr }) => ({ at: alert, expression: expr }));
  const texts = await Promise.all((await filesOf(join(chart, 'dashboards'))).map((file) => readFile(file, 'utf8')));
  const panels = texts.flatMap((text) => {
    const { title, panels: all, templating } = JSON.parse(text) as Dashboard;
    const choices = templating.list.flatMap(({ name, query }) => {
      const asked = /^label_values\((.+), *\w+\)$/.exec((query as { query?: string }).query ?? '');
      return asked ? [{ at: `${title}: ${name}`, expression: asked[1]! }] : [];
    });
    const queries = all.flatMap((panel) =>
      panel.targets.map(({ expr }) => ({ at: `${title}: ${panel.title}`, expression: expr })),
    );
    return [...choices, ...queries];
  });
  return [...alerts, ...panels];
}

/** Names of the metrics that a query reads. Throws where it is no PromQL, or where a selector names no metric. */
export function metricsIn({ at, expression }: Query): readonly string[] {
  const text = expression.replaceAll('$__rate_interval', '5m');
  const names: string[] = [];
  parser.parse(text).iterate({
    enter(node) {
      const part = text.slice(node.from, node.to);
      if (node.type.isError) throw new Error(`${at}: no PromQL before "${text.slice(node.to)}" in ${text}`);
      if (node.name !== 'VectorSelector') return;
      const named = node.node.getChild('Identifier');
      if (!named) throw new Error(`${at}: ${part} names no metric`);
      names.push(text.slice(named.from, named.to));
    },
  });
  if (names.length === 0) throw new Error(`${at}: ${text} reads no metric`);
  return names;
}

/** What Prometheus itself has, of every target and of its rules. */
const ofPrometheus = ['up', 'ALERTS'];

/** Names of metrics that nobody exports, with the query that reads them. `texts`: what processes answer at `/metrics`. */
export function notExported(queries: readonly Query[], texts: readonly string[]): readonly string[] {
  const types = new Map(
    texts.flatMap((text) =>
      [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]): [string, string] => [name!, type!]),
    ),
  );
  const isExported = (name: string): boolean => {
    const type = types.get(name);
    // A histogram has no series of its own name.
    if (type !== undefined) return type !== 'histogram';
    const [, family = ''] = /^(.+)_(?:bucket|count|sum)$/.exec(name) ?? [];
    return types.get(family) === 'histogram';
  };
  return queries.flatMap((query) =>
    metricsIn(query).flatMap((name) =>
      ofPrometheus.includes(name) || isExported(name) ? [] : [`${query.at}: ${name}`],
    ),
  );
}

/** What a process answers at `/metrics`. */
export async function readMetrics(operatorUrl: string, token: string): Promise<string> {
  const answer = await fetch(`${operatorUrl}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  if (answer.status !== 200) throw new Error(`GET ${operatorUrl}/metrics: ${answer.status}`);
  return answer.text();
}
