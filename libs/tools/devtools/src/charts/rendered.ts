import { afterAll, describe, test } from '@jest/globals';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
// @ts-expect-error -- the tools of the house are plain JavaScript
import * as folders from './chart-folders.mjs';
// @ts-expect-error -- the tools of the house are plain JavaScript
import { findHelm, helm } from './helm.mjs';
// @ts-expect-error -- the tools of the house are plain JavaScript
import * as rendering from './rendering.mjs';

/** A container as far as the tests look at it. */
export interface Container {
  readonly name: string;
  readonly image: string;
  readonly env: readonly { readonly name: string; readonly value?: string; readonly valueFrom?: object }[];
  readonly resources: Readonly<Record<'requests' | 'limits', Readonly<Record<string, string>>>>;
  readonly [field: string]: unknown;
}

/** A pod as far as the tests look at it. */
export interface PodSpec {
  readonly containers: readonly [Container, ...Container[]];
  readonly volumes?: readonly Readonly<Record<string, unknown>>[];
  readonly terminationGracePeriodSeconds?: number;
  readonly [field: string]: unknown;
}

type Labels = Readonly<Record<string, string>>;

/** A rendered object. */
export interface Rendered {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels: Labels; readonly annotations?: Labels };
  // oxlint-disable-next-line typescript/no-explicit-any -- what is inside depends on the kind; each test reads what it is about
  readonly spec: any;
}

/** Objects by kind and name. */
export type Objects = ReadonlyMap<string, Rendered>;

/** A tree of values. */
// oxlint-disable-next-line typescript/no-explicit-any -- a tree whose leaves each chart has its own schema for
export type Values = Readonly<Record<string, any>>;

/** The values files of the umbrella. */
export const sizes: readonly string[] = folders.sizes;
/** Every service that has a chart. */
export const serviceNames: readonly string[] = folders.serviceNames;
export const valuesOf: (size: string) => Values = rendering.valuesOf;
/** A values file of the umbrella. */
export const valuesFile = (size: string): string => join(folders.valuesFolder, `${size}.yaml`);
export const ownValues: (values: Values, chart: string) => Values = rendering.ownValues;

const command: string | undefined = findHelm();
if (command === undefined && process.env['REQUIRE_BACKING_SERVICES'] === '1')
  throw new Error('there is no helm: npm run engines installs it, HELM names another');
const folder: string = command === undefined ? '' : folders.vendoredCopy();
if (folder !== '') afterAll(() => rmSync(folder, { recursive: true, force: true }));

const texts = new Map<string, string>();

/** What Helm renders of a chart, as text; the same values are rendered once. */
function renderedText(chart: string, values: Values): string {
  const key = JSON.stringify([chart, values]);
  if (!texts.has(key)) texts.set(key, renderedAnew(chart, values, 'a-release'));
  return texts.get(key)!;
}

/** What Helm renders of a chart, not remembered. */
export const renderedAnew = (chart: string, values: Values, release: string): string =>
  rendering.renderText({ command, folder }, chart, values, release);

/** What Helm renders of a chart. */
export const rendered = (chart: string, values: Values): Objects =>
  rendering.objectsOf(renderedText(chart, values)) as Objects;

/** What Helm renders of the umbrella with one of its values files. */
export const platform = (size: string): Objects => rendered('platform', valuesOf(size));

/** What Helm complains of. */
export function refusal(chart: string, values: Values): string {
  try {
    renderedText(chart, values);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error(`${chart} is rendered, and should be refused`);
}

/** Runs helm with the chart in the place of its name. */
export const helmOn = (chart: string, ...args: string[]): string =>
  helm(
    command,
    args.map((argument) => (argument === chart ? join(folder, chart) : argument)),
  );

/** What Helm must render of a chart, kept in a file that people have read. */
export const golden = (size: string, chart: string): { readonly file: string; readonly text: string } => ({
  file: rendering.goldenFile(size, chart),
  text: rendering.goldenText({ command, folder }, size, chart),
});

/** Charts of the umbrella with one of its values files whose objects are kept whole. */
export const goldenParts = (size: string): readonly string[] =>
  (rendering.goldenCharts as string[]).filter((chart) => rendering.isPart(size, chart));

/** Tests of what Helm renders: skipped where there is none. */
export function describeRendered(title: string, tests: () => void): void {
  if (command !== undefined) describe(title, tests);
  else describe(title, () => test.skip('there is no helm here (npm run engines installs it)', () => undefined));
}

/** The objects of a kind. */
export const ofKind = (objects: Objects, kind: string): readonly Rendered[] =>
  [...objects.values()].filter((object) => object.kind === kind);

/** Whether labels are those that a selector selects. */
export const selects = (selector: Labels, labels: Labels): boolean =>
  Object.entries(selector).every(([name, value]) => labels[name] === value);

/** The pods of all workloads and tests: whose they are, their labels, what they are made of. */
export const podsOf = (objects: Objects): readonly { name: string; labels: Labels; spec: PodSpec }[] =>
  [...objects.values()].flatMap(({ kind, metadata, spec }) => {
    if (kind === 'Pod') return [{ name: metadata.name, labels: metadata.labels, spec: spec as PodSpec }];
    if (kind !== 'Deployment') return [];
    return [
      { name: metadata.name, labels: spec.template.metadata.labels as Labels, spec: spec.template.spec as PodSpec },
    ];
  });
