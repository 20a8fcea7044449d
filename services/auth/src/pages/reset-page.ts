import { html } from './html.ts';
import { layout, postForm } from './layout.ts';
import type { ResetModel } from './recovery-models.ts';
import { sentence } from './sentence.ts';
import type { Texts } from './texts/texts.ts';

/** The page for whoever forgot the password: field `email`. It never tells whether there is such an account. */
export function resetPage({ school, form, problem }: ResetModel, texts: Texts): string {
  const wrong = problem && html` aria-invalid="true" aria-describedby="problem"`;
  const field = html`<div class="field">
      <label for="email">${texts.email}</label>
      <input
        id="email"
        name="email"
        type="email"
        inputmode="email"
        autocomplete="username"
        autocapitalize="none"
        spellcheck="false"
        required
        autofocus${wrong}
      />
    </div>
    <button class="primary" type="submit">${texts.resetSend}</button>`;
  const content = html`<div class="card">
    <div class="intro">
      <h1>${texts.resetTitle}</h1>
      <p class="quiet">${sentence(texts, 'resetLead', { school: html`<bdi>${school.name}</bdi>` })}</p>
    </div>
    ${problem && html`<p class="problem" id="problem" role="alert">${problem}</p>`} ${postForm(form, ['email'], field)}
  </div>`;
  return layout({ school, texts, title: texts.resetTitle, content });
}
