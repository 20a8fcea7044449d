import type { UiLanguage } from '@lyceum/contracts';
import { z } from 'zod';
import { htmlText } from '../discovery/text/html-text.ts';
import { type FormTexts, formLanguages } from './form-texts.ts';

const field = z.object({
  key: z.string().regex(/^[a-z][a-z0-9_]{0,39}$/),
  label: z.string(),
  type: z.string(),
  required: z.boolean().default(false),
  max: z.int().nullish(),
  options: z.array(z.string()).nullish(),
});

/** A form as pages show it: of what is no id nothing shows. */
export const shownForm = z.object({
  form_id: z.string().regex(/^form_[0-9a-f-]{36}$/),
  fields: z.array(field),
  consent: z.string().nullish(),
});

/** A form as pages show it. */
export type ShownForm = z.output<typeof shownForm>;

type Field = ShownForm['fields'][number];

/** What a browser sends without scripts, and where to. */
export interface SentForm extends Pick<ShownForm, 'fields' | 'consent'> {
  /** The path that takes it. */
  readonly action: string;
  /** What its button says, when not that it sends. */
  readonly button?: string;
}

/** Where a form is shown alone, and sent. */
export const formPath = (id: string): string => `/forms/${id}`;

/** The names that a form has for its fields, beside those of the answers. */
export const fieldNames = { consent: 'consent', trap: 'website', answer: (key: string): string => `a.${key}` } as const;

/** How a form is shown. */
export interface FormShowing {
  readonly language: UiLanguage;
  /** Tells it from others of the page. */
  readonly prefix: string;
  /** What was typed before, by the names of the fields. */
  readonly typed?: URLSearchParams;
  /** What is wrong with the answers, by keys. */
  readonly problems?: ReadonlyMap<string, 'missing' | 'wrong'>;
}

/** Text of the school, whichever way it is written. */
const text = (value: string): string => `<bdi>${htmlText(value)}</bdi>`;

/** Answers of more characters are written in several lines. */
const longLine = 200;

/** The control of a field; `attributes` are those that all have. */
function controlOf({ type, max, options, required, key }: Field, attributes: string, typed: string, said: FormTexts) {
  const value = ` value="${htmlText(typed)}"`;
  const longest = max ? ` maxlength="${max}"` : '';
  switch (type) {
    case 'email':
      return `<input type="email" autocomplete="email"${attributes}${longest}${value}>`;
    case 'phone':
      return `<input type="tel" autocomplete="tel"${attributes}${longest}${value}>`;
    case 'date':
      return `<input type="date"${attributes}${value}>`;
    case 'choice': {
      const each = (option: string) =>
        `<option value="${htmlText(option)}"${option === typed ? ' selected' : ''}>${htmlText(option)}</option>`;
      const none = `<option value="">${required ? said.choose : ''}</option>`;
      return `<select${attributes}>${none}${(options ?? []).map(each).join('')}</select>`;
    }
    default:
      return max && max <= longLine
        ? `<input type="text"${key === 'name' ? ' autocomplete="name"' : ''}${attributes}${longest}${value}>`
        : `<textarea rows="6"${attributes}${longest}>${htmlText(typed)}</textarea>`;
  }
}

function fieldHtml(each: Field, { language, prefix, typed, problems }: FormShowing): string {
  const said = formLanguages[language];
  const { key, label, required, type } = each;
  const [id, name] = [`${prefix}${key}`, fieldNames.answer(key)];
  const problem = problems?.get(key);
  const described = problem ? ` aria-invalid="true" aria-describedby="${id}-problem"` : '';
  const attributes = ` id="${id}" name="${name}"${required ? ' required' : ''}${described}`;
  const words = problem === 'wrong' && type === 'email' ? said.wrongAddress : problem && said[problem];
  const why = problem ? `<p class="problem" id="${id}-problem">${words}</p>` : '';
  const mark = required ? ` <small>(${said.required})</small>` : '';
  const value = typed?.get(name) ?? '';
  if (type === 'checkbox') {
    const ticked = value === 'true' ? ' checked' : '';
    return `<p class="tick"><input type="checkbox" value="true"${attributes}${ticked}> <label for="${id}">${text(label)}${mark}</label></p>${why}`;
  }
  return `<p><label for="${id}">${text(label)}${mark}</label>${controlOf(each, attributes, value, said)}</p>${why}`;
}

function consentHtml({ consent }: Pick<SentForm, 'consent'>, { prefix, typed }: FormShowing): string {
  if (!consent) return '';
  const id = `${prefix}consent-given`;
  const ticked = typed?.get(fieldNames.consent) === 'true' ? ' checked' : '';
  const lines = htmlText(consent).replace(/\r?\n/g, '<br>');
  return `<p class="tick"><input type="checkbox" id="${id}" name="${fieldNames.consent}" value="true"${ticked}> <label for="${id}"><bdi>${lines}</bdi></label></p>`;
}

/**
 * A form as HTML, which works without scripts. It carries no tag against forged requests: it is sent for nobody, with neither
 * cookie nor session, so that a page elsewhere can have a browser send nothing that it could not send itself.
 */
export function sentFormHtml(form: SentForm, showing: FormShowing): string {
  const said = formLanguages[showing.language];
  const trap = `${showing.prefix}trap`;
  return `<form method="post" action="${form.action}" accept-charset="utf-8">
${form.fields.map((each) => fieldHtml(each, showing)).join('\n')}
${consentHtml(form, showing)}
<p class="trap" aria-hidden="true"><label for="${trap}">${said.leaveEmpty}</label><input type="text" id="${trap}" name="${fieldNames.trap}" tabindex="-1" autocomplete="off"></p>
<p class="buttons"><button class="button primary" type="submit">${form.button ?? said.send}</button></p>
</form>`;
}

/** The form of a page of the school. */
export const formHtml = ({ form_id, ...form }: ShownForm, showing: FormShowing): string =>
  `<section class="form">${sentFormHtml({ ...form, action: formPath(form_id) }, showing)}</section>`;
