import { type Asked, flags } from './arguments.ts';
import { assumptions } from './assumptions.ts';
import type { Plan } from './plan.ts';
import type { RoleNeed } from './processors.ts';
import { type UnitCost, unitCosts } from './unit-costs.ts';

const number = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)));
const bytes = (value: number): string =>
  value >= 1e12
    ? `${number(value / 1e12)} TB`
    : value >= 1e9
      ? `${number(value / 1e9)} GB`
      : `${number(value / 1e6)} MB`;

/** Rows as lines whose columns stand below each other; all but the first and the last one to the right. */
function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const isLeft = (column: number): boolean => column === 0 || column === widths.length - 1;
  return rows.map((row) =>
    row
      .map((cell, column) => (isLeft(column) ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
      .join('  ')
      .trimEnd(),
  );
}

const needs = (title: string, unit: string, roles: readonly RoleNeed[]): string[] =>
  columns([
    [title, 'cores busy at the peak', 'cores', unit, 'memory'],
    ...roles.map((role) => [
      role.role,
      number(role.busy),
      number(role.cores),
      number(role.processes),
      `${number(role.memory)} GB`,
    ]),
    [
      'together',
      ...[roles.map(({ busy }) => busy), roles.map(({ cores }) => cores), roles.map((role) => role.processes)].map(
        (each) => number(each.reduce((sum, one) => sum + one, 0)),
      ),
      `${number(roles.reduce((sum, { memory }) => sum + memory, 0))} GB`,
    ],
  ]);

/** Where a cost comes from. */
const source = ({ command, at, busy }: UnitCost): string =>
  command === undefined ? 'assumed' : `measured ${at!}${busy ? ', on a busy machine' : ''}: ${command}`;

/** The plan as text, with every assumption. */
export function report({ given, costs, prices, changed }: Asked, plan: Plan): string {
  const { load, parts, storage, money } = plan;
  const was = (name: string, otherwise: string): string => (changed.has(name) ? 'as asked' : otherwise);
  return [
    `${number(given.schools)} schools, ${number(given.learners)} learners`,
    '',
    ...columns([
      ['Load', 'at the peak', 'in a day', ''],
      ['sessions at once', number(load.sessions), '', ''],
      ['requests', `${number(load.requests)}/s`, number(load.requestsPerDay), ''],
      ['writes', `${number(load.writes)}/s`, '', ''],
      ['events', `${number(load.events)}/s`, number(load.eventsPerDay), ''],
      ['refreshes of tokens', `${number(load.refreshes)}/s`, '', ''],
      ['passwords', `${number(load.signIns)}/s`, '', ''],
      ['calls of agents', `${number(load.mcpCalls)}/s`, '', ''],
    ]),
    '',
    `Cells: ${number(parts.cells)}. Lanes of each log: ${parts.lanes}. Partitions: ${number(parts.partitions)}, ${number(parts.partitionsPerBroker)} at each broker.`,
    '',
    ...needs('Lyceum', 'processes', plan.processes),
    '',
    ...needs('Engines', 'nodes', plan.engines),
    '',
    ...columns([
      ['Storage', 'with copies', ''],
      ['events', bytes(storage.events), ''],
      ['read models', bytes(storage.readModels), ''],
      ['topics', bytes(storage.kafka), ''],
      ['files', bytes(storage.files), ''],
      ['traffic of a month', bytes(storage.traffic), ''],
    ]),
    '',
    ...columns([
      ['Money', 'a month', ''],
      ...(['lyceum', 'engines', 'disks', 'files', 'traffic', 'total'] as const).map((part) => [
        part,
        number(money[part]),
        '',
      ]),
      ['for a school', money.perSchool.toPrecision(3), ''],
      ['for a learner', money.perLearner.toPrecision(3), ''],
    ]),
    '',
    ...columns([
      ['Assumption', 'value', 'unit', 'flag'],
      ...[...flags].map(([flag, name]) => [
        assumptions[name].what,
        number(given[name]),
        assumptions[name].unit,
        `--${flag}${changed.has(name) ? ' (as asked)' : ''}`,
      ]),
    ]),
    '',
    ...columns([
      ['Cost of one (--costs FILE)', 'name', 'value', 'unit', 'where it comes from'],
      ...Object.entries(unitCosts).map(([name, cost]) => [
        cost.what,
        name,
        number(costs[name as keyof typeof unitCosts]),
        cost.unit,
        was(name, source(cost)),
      ]),
    ]),
    '',
    ...columns([
      ['Price of one for a month (--prices FILE)', 'value', ''],
      ...Object.entries(prices).map(([name, price]) => [name, String(price), was(name, 'assumed')]),
    ]),
    '',
  ].join('\n');
}
