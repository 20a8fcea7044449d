import { formLayout } from './layout/form-layout.ts';
import { emailField, submit } from './markup/fields.ts';
import { html } from './markup/html.ts';
import { sentence } from './markup/sentence.ts';
import type { ResetModel } from './models/recovery-models.ts';
import type { Texts } from './texts/texts.ts';

/** The page for a person who forgot the password: field `email`. It never reveals whether there is such an account. */
export function resetPage({ school, form, problem }: ResetModel, texts: Texts): string {
  const lead = sentence(texts, 'resetLead', { school: html`<bdi>${school.name}</bdi>` });
  const field = emailField(texts, { value: '', wrong: problem !== undefined, focus: true });
  const fields = html`${field} ${submit(texts.resetSend)}`;
  return formLayout({ school, title: texts.resetTitle, lead, problem, form, names: ['email'], fields }, texts);
}
