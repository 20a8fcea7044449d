import { type EventTypes, ofStream } from '@lyceum/kernel';
import { type Schema, anywhere, isText, within } from './schema.ts';

/** A declaration of personal data that cannot be right. Found when the process starts. */
export class UnsoundMark extends Error {
  override readonly name = 'UnsoundMark';
}

/** Where the id of a subject stands: with the stream, or in the data, from its root or from the object around the field. */
export type SubjectAt = 'stream' | { readonly from: 'root' | 'around'; readonly path: readonly string[] };

/** What of a value is personal: all of it (`subject`), or parts of it. A cycle where the schema is recursive. */
export interface Plan {
  subject?: SubjectAt;
  /** Other plans for the same value: what is optional, and the options of a union. */
  readonly same: Plan[];
  readonly fields: Map<string, Plan>;
  /** Plans for whatever the value contains. */
  readonly any: Plan[];
}

/** The personal fields of each event type that has some. */
export type Catalogue = ReadonlyMap<string, Plan>;

/**
 * Reads the marks of all event types of a service. Throws `UnsoundMark` for a mark whose subject is missing, is not a
 * required text field, or is personal itself, for a mark within a mark, and for two such types of one name.
 */
export function catalogueOf(types: readonly EventTypes[]): Catalogue {
  const catalogue = new Map<string, Plan>();
  for (const [type, { data }] of types.flatMap((each) => Object.entries(each))) {
    const root = data as unknown as Schema;
    const plan = planOf(root, { type, root, open: new Map() }, [], []);
    if (!isMarked(plan)) continue;
    if (alternatives([plan]).some(({ subject }) => subject))
      throw new UnsoundMark(`${type}: mark the fields of an event, not all its data`);
    if (catalogue.has(type)) throw new UnsoundMark(`${type} is declared twice, with personal fields`);
    catalogue.set(type, plan);
  }
  return catalogue;
}

/** Whether all that is personal in these events is about the subject of their stream. */
export const isAboutStream = (catalogue: Catalogue): boolean =>
  [...catalogue.values()].every((plan) => subjectsOf(plan).every((subject) => subject === 'stream'));

/** Plans with all others for the same value. */
export function alternatives(plans: readonly Plan[]): readonly Plan[] {
  const all = new Set(plans);
  for (const { same } of all) for (const each of same) all.add(each);
  return [...all];
}

interface Reading {
  readonly type: string;
  readonly root: Schema;
  /** Plans on the way from the root, for schemas that contain themselves. */
  readonly open: Map<Schema, Plan>;
}

type Trail = readonly (string | number)[];

/** The plan of a schema. `around` are the objects on the way to it, the nearest last. */
function planOf(schema: Schema, reading: Reading, trail: Trail, around: readonly Schema[]): Plan {
  const { open, type } = reading;
  const known = open.get(schema);
  if (known) return known;
  const plan: Plan = { same: [], fields: new Map(), any: [] };
  open.set(schema, plan);
  const mark = schema.meta?.()?.['personal'];
  if (mark !== undefined) plan.subject = subjectOf(mark, reading, trail, around);
  const objects = schema.def?.shape ? [...around, schema] : around;
  for (const [step, inner] of within(schema)) {
    const name = typeof step === 'symbol' ? '*' : step;
    const part = planOf(inner, reading, name === undefined ? trail : [...trail, name], objects);
    if (step === undefined) plan.same.push(part);
    else if (step === anywhere) plan.any.push(part);
    else plan.fields.set(String(step), part);
  }
  open.delete(schema);
  if (plan.subject && parts(plan).some((part) => isMarked(part)))
    throw new UnsoundMark(`${at(type, trail)} is personal, and so is a part of it: mark one of them`);
  return plan;
}

/** Reads a mark. @see personal in `@lyceum/kernel` */
function subjectOf(mark: unknown, { type, root }: Reading, trail: Trail, around: readonly Schema[]): SubjectAt {
  const where = at(type, trail);
  if (typeof mark !== 'string' || mark === '')
    throw new UnsoundMark(`${where} is personal, but about whom is not said`);
  if (mark === ofStream) return 'stream';
  const near = mark.startsWith('./');
  const path = mark.slice(near ? 2 : 0).split('.');
  let schema: Schema | undefined = near ? around.at(-1) : root;
  for (const name of path) {
    schema = schema?.def?.shape?.[name];
    if (schema?.meta?.()?.['personal'] !== undefined) throw new UnsoundMark(`${where}: its subject is personal itself`);
  }
  if (!schema || !isText(schema)) throw new UnsoundMark(`${where}: its subject ${mark} is not a required text field`);
  return { from: near ? 'around' : 'root', path };
}

const at = (type: string, trail: Trail): string => [type, ...trail].join('.');

const parts = ({ same, fields, any }: Plan): readonly Plan[] => [...same, ...fields.values(), ...any];

/** The marks that a plan leads to. */
function subjectsOf(plan: Plan): readonly SubjectAt[] {
  const reached = new Set([plan]);
  for (const each of reached) for (const part of parts(each)) reached.add(part);
  return [...reached].flatMap(({ subject }) => subject ?? []);
}

/** Whether a plan leads to a mark. */
const isMarked = (plan: Plan): boolean => subjectsOf(plan).length > 0;
