import { clientName } from './client-name.ts';
import { type Html, html } from './html.ts';
import { layout, postForm } from './layout.ts';
import type { SignInModel } from './models.ts';
import { sentence } from './sentence.ts';
import { resetPath } from '../recovery/reset-path.ts';
import type { Texts } from './texts/texts.ts';

const lead = (texts: Texts, { school, client }: SignInModel): Html => {
  const name = html`<bdi>${school.name}</bdi>`;
  if (!client) return sentence(texts, 'signInLead', { school: name });
  const host = html`<bdi><code>${client.redirectHost}</code></bdi>`;
  return sentence(texts, 'signInForClient', { client: clientName(texts, client.name), school: name, host });
};

/** Which of the two is wrong is never told, so both are marked; the cursor waits in the first one left to fill. */
const fields = (texts: Texts, { email = '', problem }: SignInModel): Html => {
  const wrong = problem && html` aria-invalid="true" aria-describedby="problem"`;
  const focus = html` autofocus`;
  return html`<div class="field">
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
        value="${email}"
        ${wrong}${!email && focus}
      />
    </div>
    <div class="field">
      <label for="password">${texts.password}</label>
      <input
        id="password"
        name="password"
        type="password"
        autocomplete="current-password"
        required${wrong}${email && focus}
      />
    </div>
    <button class="primary" type="submit">${texts.signIn}</button>`;
};

/** The sign-in page: fields `email` and `password`, and the hidden fields as given. Needs no JavaScript. */
export function signInPage(model: SignInModel, texts: Texts): string {
  const content = html`<div class="card">
    <div class="intro">
      <h1>${texts.signInTitle}</h1>
      <p class="quiet">${lead(texts, model)}</p>
    </div>
    ${model.problem && html`<p class="problem" id="problem" role="alert">${model.problem}</p>`}
    ${postForm(model.form, ['email', 'password'], fields(texts, model))}
    <p class="quiet"><a href="${resetPath}">${texts.forgotPassword}</a></p>
    ${model.signUp && html`<p class="quiet"><a href="${model.signUp}">${texts.createAccount}</a></p>`}
  </div>`;
  return layout({ school: model.school, texts, title: texts.signInTitle, content });
}
