import { formLayout } from './layout/form-layout.ts';
import { emailField, newPasswordField, submit, usernameField } from './markup/fields.ts';
import { type Html, html } from './markup/html.ts';
import { sentence } from './markup/sentence.ts';
import type { PageForm, PageSchool } from './models/page-models.ts';
import type { Texts } from './texts/texts.ts';

/** The page on which an account is opened: fields `name` and `password` for who is invited, `email` for others. */
export interface SignUpModel {
  readonly school: PageSchool;
  readonly form: PageForm;
  /** The address of who is invited. */
  readonly invited?: string;
  /** What was typed before, or said in the invitation. */
  readonly name?: string;
  readonly email?: string;
  readonly problem?: string;
}

const addressField = (texts: Texts, { email = '', problem }: SignUpModel): Html =>
  html`${emailField(texts, { value: email, wrong: problem !== undefined, focus: true })} ${submit(texts.signUpSend)}`;

const personFields = (texts: Texts, { name = '', invited = '', problem }: SignUpModel): Html =>
  html`${usernameField(invited)}
    <div class="field">
      <label for="name">${texts.yourName}</label>
      <input
        id="name"
        name="name"
        type="text"
        autocomplete="name"
        maxlength="200"
        required
        value="${name}"
        ${!name && html`autofocus`}
      />
    </div>
    ${newPasswordField(texts, texts.password, { wrong: problem !== undefined, focus: name !== '' })}
    ${submit(texts.signUp)}`;

/** The page on which an account is opened. It never tells whether an address has one. */
export function signUpPage(model: SignUpModel, texts: Texts): string {
  const { school, invited, problem, form } = model;
  const slots = { school: html`<bdi>${school.name}</bdi>` };
  const asked =
    invited === undefined
      ? { lead: sentence(texts, 'signUpLead', slots), names: ['email'], fields: addressField(texts, model) }
      : {
          lead: sentence(texts, 'signUpPerson', { ...slots, email: html`<bdi>${invited}</bdi>` }),
          names: ['name', 'password', 'username'],
          fields: personFields(texts, model),
        };
  return formLayout({ school, title: texts.signUpTitle, problem, form, ...asked }, texts);
}
