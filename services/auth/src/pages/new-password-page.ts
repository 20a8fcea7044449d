import { formLayout } from './layout/form-layout.ts';
import { newPasswordField, submit, usernameField } from './markup/fields.ts';
import { type Html, html } from './markup/html.ts';
import { sentence } from './markup/sentence.ts';
import type { NewPasswordModel } from './models/recovery-models.ts';
import type { Texts } from './texts/texts.ts';

const currentField = (texts: Texts): Html =>
  html`<div class="field">
    <label for="current">${texts.currentPassword}</label>
    <input id="current" name="current" type="password" autocomplete="current-password" required autofocus />
  </div>`;

const fields = (texts: Texts, { email, asksCurrent, problem }: NewPasswordModel): Html => {
  const state = { wrong: problem !== undefined, focus: !asksCurrent };
  return html`${usernameField(email)} ${asksCurrent && currentField(texts)}
  ${newPasswordField(texts, texts.newPassword, state)} ${submit(texts.savePassword)}`;
};

/** The page for a new password, after a link in a mail or by who is signed in. */
export function newPasswordPage(model: NewPasswordModel, texts: Texts): string {
  const { school, form, problem, asksCurrent } = model;
  const title = asksCurrent ? texts.changePasswordTitle : texts.newPasswordTitle;
  const lead = sentence(texts, 'newPasswordLead', { school: html`<bdi>${school.name}</bdi>` });
  const names = ['current', 'password', 'username'];
  return formLayout({ school, title, lead, problem, form, names, fields: fields(texts, model) }, texts);
}
