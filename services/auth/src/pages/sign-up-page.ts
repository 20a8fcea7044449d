import { type Html, html } from './html.ts';
import { layout, postForm } from './layout.ts';
import type { PageForm, PageSchool } from './models.ts';
import { sentence } from './sentence.ts';
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

const wrong = (problem: string | undefined): Html | undefined =>
  problem === undefined ? undefined : html` aria-invalid="true" aria-describedby="problem"`;

const addressField = (texts: Texts, { email = '', problem }: SignUpModel): Html =>
  html`<div class="field">
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
        autofocus
        value="${email}"
        ${wrong(problem)}
      />
    </div>
    <button class="primary" type="submit">${texts.signUpSend}</button>`;

/** The address is there for password managers, which otherwise keep a password without a name. */
const personFields = (texts: Texts, { name = '', invited = '', problem }: SignUpModel): Html =>
  html`<input type="email" name="username" autocomplete="username" value="${invited}" hidden readonly tabindex="-1" />
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
    <div class="field">
      <label for="password">${texts.password}</label>
      <input
        id="password"
        name="password"
        type="password"
        autocomplete="new-password"
        minlength="8"
        required
        ${problem ? html`aria-invalid="true" aria-describedby="problem rule"` : html`aria-describedby="rule"`}
        ${name && html`autofocus`}
      />
      <p class="quiet" id="rule">${texts.newPasswordHint}</p>
    </div>
    <button class="primary" type="submit">${texts.signUp}</button>`;

/** The page on which an account is opened. It never tells whether an address has one. Needs no JavaScript. */
export function signUpPage(model: SignUpModel, texts: Texts): string {
  const { school, invited, problem, form } = model;
  const slots = { school: html`<bdi>${school.name}</bdi>` };
  const lead =
    invited === undefined
      ? sentence(texts, 'signUpLead', slots)
      : sentence(texts, 'signUpInvited', { ...slots, email: html`<bdi>${invited}</bdi>` });
  const [names, fields] =
    invited === undefined
      ? [['email'], addressField(texts, model)]
      : [['name', 'password', 'username'], personFields(texts, model)];
  const content = html`<div class="card">
    <div class="intro">
      <h1>${texts.signUpTitle}</h1>
      <p class="quiet">${lead}</p>
    </div>
    ${problem && html`<p class="problem" id="problem" role="alert">${problem}</p>`}
    ${postForm(form, names as readonly string[], fields as Html)}
  </div>`;
  return layout({ school, texts, title: texts.signUpTitle, content });
}
