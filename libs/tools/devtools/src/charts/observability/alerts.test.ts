import { describe, expect, test } from '@jest/globals';
import { noPrometheus, promtool } from '@lyceum/testkit';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
// @ts-expect-error -- the tools of the house are plain JavaScript
import { chartsFolder } from '../chart-folders.mjs';

const folder = join(chartsFolder as string, 'observability');
const filesIn = (name: string): readonly string[] =>
  readdirSync(join(folder, name)).map((file) => join(folder, name, file));

interface Rule {
  readonly alert: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}
interface Case {
  readonly alert_rule_test: readonly { readonly alertname: string; readonly exp_alerts: readonly unknown[] }[];
}

const groups = filesIn('files/alerts').flatMap(
  (file) => (parse(readFileSync(file, 'utf8')) as { groups: { name: string; rules: Rule[] }[] }).groups,
);
const rules = groups.flatMap((group) => group.rules);
const cases = filesIn('tests').flatMap((file) => (parse(readFileSync(file, 'utf8')) as { tests: Case[] }).tests);

describe('the alerts of deploy/charts/observability', () => {
  test('have a name of their own, a severity, a summary and a page that says what to do', () => {
    expect(rules.length).toBeGreaterThan(20);
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    for (const { alert, labels, annotations } of rules) {
      expect(alert).toMatch(/^Lyceum[A-Z][A-Za-z]+$/);
      expect({ alert, severity: labels['severity'] }).toEqual({
        alert,
        severity: expect.stringMatching(/^(critical|warning)$/),
      });
      expect({ alert, ...annotations }).toEqual({
        alert,
        summary: expect.stringMatching(/\w/),
        runbook_url: `docs/runbooks/${alert}.md`,
      });
      expect(existsSync(join(folder, '../../..', annotations['runbook_url']!))).toBe(true);
    }
  });

  test('are each raised by a test of promtool, and each not raised by one', () => {
    const asked = cases.flatMap((each) => each.alert_rule_test);
    const named = (isRaised: boolean) =>
      [
        ...new Set(asked.flatMap((each) => (each.exp_alerts.length > 0 === isRaised ? [each.alertname] : []))),
      ].toSorted();
    const all = rules.map(({ alert }) => alert).toSorted();
    expect(named(true)).toEqual(all);
    expect(named(false)).toEqual(all);
  });
});

const reason = noPrometheus();
const suite = reason === undefined ? describe : describe.skip;
suite(`promtool${reason === undefined ? '' : `: ${reason}`}`, () => {
  test('accepts the alerts', async () => {
    const { code, output } = await promtool('check', 'rules', ...filesIn('files/alerts'));
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('SUCCESS') });
  });

  test('finds them raised when they should be, and not otherwise', async () => {
    const { code, output } = await promtool('test', 'rules', ...filesIn('tests'));
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('SUCCESS') });
  });
});
