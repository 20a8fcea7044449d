import { type Html, html } from '../markup/html.ts';
import type { PageForm, PageSchool } from '../models/page-models.ts';
import type { Texts } from '../texts/texts.ts';
import { layout, postForm } from './layout.ts';

/** A page with one form. */
interface FormLayout {
  readonly school: PageSchool;
  readonly title: string;
  readonly lead: Html;
  /** What went wrong with the form the last time; fields point to it by the id `problem`. */
  readonly problem: string | Html | undefined;
  readonly form: PageForm;
  /** The names of its fields, and the fields with the button. */
  readonly names: readonly string[];
  readonly fields: Html;
  /** What stands below the form. */
  readonly below?: Html;
}

/** The frame of a page with one form: what it is for, what went wrong, the form. Needs no JavaScript. */
export function formLayout(page: FormLayout, texts: Texts): string {
  const { school, title, lead, problem, form, names, fields, below } = page;
  const content = html`<div class="card">
    <div class="intro">
      <h1>${title}</h1>
      <p class="quiet">${lead}</p>
    </div>
    ${problem && html`<p class="problem" id="problem" role="alert">${problem}</p>`} ${postForm(form, names, fields)}
    ${below}
  </div>`;
  return layout({ school, texts, title, content });
}
