import { type Html, html } from './html.ts';
import { layout, postForm } from './layout.ts';
import type { NewPasswordModel } from './recovery-models.ts';
import { sentence } from './sentence.ts';
import type { Texts } from './texts/texts.ts';

const currentField = (texts: Texts): Html =>
  html`<div class="field">
    <label for="current">${texts.currentPassword}</label>
    <input id="current" name="current" type="password" autocomplete="current-password" required autofocus />
  </div>`;

/** The address is there for password managers, which otherwise keep a password without a name. */
const fields = (texts: Texts, { email, asksCurrent, problem }: NewPasswordModel): Html =>
  html`<input type="email" name="username" autocomplete="username" value="${email}" hidden readonly tabindex="-1" />
    ${asksCurrent && currentField(texts)}
    <div class="field">
      <label for="password">${texts.newPassword}</label>
      <input
        id="password"
        name="password"
        type="password"
        autocomplete="new-password"
        minlength="8"
        required
        ${problem ? html`aria-invalid="true" aria-describedby="problem rule"` : html`aria-describedby="rule"`}
        ${!asksCurrent && html`autofocus`}
      />
      <p class="quiet" id="rule">${texts.newPasswordHint}</p>
    </div>
    <button class="primary" type="submit">${texts.savePassword}</button>`;

/** The page for a new password, after a link in a mail or by who is signed in. */
export function newPasswordPage(model: NewPasswordModel, texts: Texts): string {
  const title = model.asksCurrent ? texts.changePasswordTitle : texts.newPasswordTitle;
  const content = html`<div class="card">
    <div class="intro">
      <h1>${title}</h1>
      <p class="quiet">${sentence(texts, 'newPasswordLead', { school: html`<bdi>${model.school.name}</bdi>` })}</p>
    </div>
    ${model.problem && html`<p class="problem" id="problem" role="alert">${model.problem}</p>`}
    ${postForm(model.form, ['current', 'password', 'username'], fields(texts, model))}
  </div>`;
  return layout({ school: model.school, texts, title, content });
}
