import { line, paragraph, readEmail } from '@lyceum/contracts';
import type { Detail } from '@lyceum/kernel';
import { Problem } from '@lyceum/web';
import { z } from 'zod';
import type { FormField } from '../forms/form.events.ts';
import { longest } from '../form-blocks/form-block.ts';
import type { Answer } from './submission.events.ts';

/** What a client sends as the answer to a field. */
export const givenAnswer = z.union([z.string(), z.boolean()]);

type Given = z.output<typeof givenAnswer>;

/** What a field takes. An answer that is empty, or a box that is not ticked, is none. */
function schemaOf({ type, max, options = [] }: FormField): z.ZodType<Given> {
  switch (type) {
    case 'text':
      return paragraph(max ?? longest.text);
    case 'email':
      return z
        .string()
        .max(longest.email)
        .refine((typed) => readEmail(typed) !== undefined, 'must be an e-mail address')
        .overwrite((typed) => readEmail(typed) ?? typed);
    case 'phone':
      return line(1, longest.phone).refine((typed) => /^\+?[0-9()/.\s-]{3,}$/.test(typed), 'must be a phone number');
    case 'choice':
      return z.string().refine((chosen) => options.includes(chosen), 'must be one of the options');
    case 'checkbox':
      return z.boolean();
    case 'date':
      return z.iso.date();
  }
}

const isNone = (given: Given | undefined): boolean =>
  given === undefined || given === false || (typeof given === 'string' && given.trim() === '');

const fault = (key: string, code: string, message: string): Detail => ({ path: `answers.${key}`, code, message });

/** The answer to a field, what is wrong with it, or nothing where none was given and none is needed. */
function readAnswer(field: FormField, given: Given | undefined): Answer | Detail | undefined {
  const { key, label, required } = field;
  if (isNone(given)) return required ? fault(key, 'required', 'must be answered') : undefined;
  const read = schemaOf(field).safeParse(given);
  if (read.success) return { key, label, value: String(read.data) };
  return fault(key, 'invalid_answer', read.error.issues[0]?.message ?? 'is no answer to this field');
}

/** The answers of a submission in the order of the form's fields. Throws the 422 problem that names all that is wrong. */
export function readAnswers(fields: readonly FormField[], given: Readonly<Record<string, Given>>): readonly Answer[] {
  const known = new Set(fields.map(({ key }) => key));
  const unknown = Object.keys(given).filter((key) => !known.has(key));
  const read = fields.flatMap(
    (field) => readAnswer(field, Object.hasOwn(given, field.key) ? given[field.key] : undefined) ?? [],
  );
  const faults = [
    ...unknown.map((key) => fault(key, 'unknown_field', 'The form has no such field')),
    ...read.filter((each): each is Detail => 'code' in each),
  ];
  if (faults.length > 0)
    throw new Problem('validation_failed', 'The answers are not what the form asks for', { details: faults });
  return read.filter((each): each is Answer => !('code' in each));
}

/** The address among the answers: that of the first field for one; empty where none was given. */
export function emailAmong(fields: readonly FormField[], answers: readonly Answer[]): string {
  const keys = fields.filter(({ type }) => type === 'email').map(({ key }) => key);
  const found = answers.find(({ key }) => keys.includes(key));
  return found?.value ?? '';
}
