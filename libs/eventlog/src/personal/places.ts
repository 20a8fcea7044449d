import { subjectOfStream } from '@lyceum/kernel';
import { type Plan, type SubjectAt, alternatives } from './plan.ts';

/** Steps from the data of an event to a value in it. */
export type Path = readonly (string | number)[];

/** A personal value in the data of an event. */
export interface Place {
  readonly path: Path;
  readonly subject: string;
}

type Json = Record<string | number, unknown>;

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/**
 * The personal values that the data of an event has. Throws a `TypeError` when the subject of one is not there or there are
 * several, and when null, which means erased, stands for a value.
 */
export function placesOf(plan: Plan, stream: string, data: unknown): readonly Place[] {
  const places: Place[] = [];
  const visit = (plans: readonly Plan[], value: unknown, path: Path, around: unknown): void => {
    if (value === undefined || plans.length === 0) return;
    const all = alternatives(plans);
    const subjects = new Set(all.flatMap(({ subject }) => (subject ? [idOf(subject, stream, data, around)] : [])));
    if (subjects.size > 1) throw new TypeError(`${path.join('.')} has several subjects`);
    for (const subject of subjects) {
      if (value === null) throw new TypeError(`${path.join('.')}: null means erased, and cannot be written`);
      places.push({ path, subject });
    }
    if (subjects.size > 0 || !isObject(value)) return;
    const list = Array.isArray(value);
    for (const key of Object.keys(value)) {
      const inner = all.flatMap(({ fields, any }) => [fields.get(key) ?? [], any].flat());
      visit(inner, value[key], [...path, list ? Number(key) : key], list ? around : value);
    }
  };
  visit([plan], data, [], undefined);
  return places;
}

function idOf(subject: SubjectAt, stream: string, data: unknown, around: unknown): string {
  if (subject === 'stream') return subjectOfStream(stream);
  const found = valueAt(subject.from === 'root' ? data : around, subject.path);
  if (typeof found !== 'string' || found === '') throw new TypeError(`${subject.path.join('.')} names no subject`);
  return found;
}

const own = (value: unknown, step: string | number): unknown =>
  isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;

/** The value at the end of a path; undefined when there is none. */
export const valueAt = (value: unknown, path: Path): unknown => path.reduce<unknown>(own, value);

/** Puts a value where a path leads. False when there is no such place. */
export function setAt(data: unknown, path: Path, value: unknown): boolean {
  const last = path.at(-1);
  const holder = valueAt(data, path.slice(0, -1));
  if (last === undefined || !isObject(holder) || !Object.hasOwn(holder, last)) return false;
  holder[last] = value;
  return true;
}
