import { describe, expect, test } from '@jest/globals';
import { metricsIn, notExported } from './observed-metrics.ts';

const read = (expression: string) => metricsIn({ at: 'here', expression });

describe('metrics that a query reads', () => {
  test('are those of its selectors, not what stands in matchers, groupings, functions and texts', () =>
    expect(
      read(
        'sum by (group_metric) (rate(a_total{x="not_this{",y=~"a|b"}[$__rate_interval])) / on (other) group_left (more) histogram_quantile(0.9, c_bucket) > bool 3 unless absent_over_time(up{job="l"}[5m] offset 1m)',
      ),
    ).toEqual(['a_total', 'c_bucket', 'up']));

  test.each([
    ['no PromQL', 'sum(rate(a[5m])'],
    ['a selector without a name', '{job="lyceum"} > 0'],
    ['no metric', 'vector(1)'],
  ])('%s is an error', (_, expression) => expect(() => read(expression)).toThrow('here'));
});

test('a metric is exported under the names that its type gives it', () => {
  const texts = ['# TYPE a_seconds histogram\n# TYPE b gauge\n', '# TYPE c_total counter\n'];
  const missing = (expression: string) => notExported([{ at: 'here', expression }], texts);
  for (const known of ['a_seconds_bucket', 'a_seconds_count', 'a_seconds_sum', 'b', 'c_total', 'up'])
    expect(missing(known)).toEqual([]);
  for (const unknown of ['a_seconds', 'b_count', 'c', 'd']) expect(missing(unknown)).toEqual([`here: ${unknown}`]);
});
