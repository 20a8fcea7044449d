import type { Texts } from '../texts/texts.ts';
import { type Html, type HtmlValue, html } from './html.ts';

interface Field {
  /** Whether something is wrong with it, as the page says above. */
  readonly wrong: boolean;
  /** Whether the cursor waits here. */
  readonly focus: boolean;
}

const focused = (focus: boolean): HtmlValue => focus && html` autofocus`;

/** Marks a field that what the page says above is about. */
export const marked = (wrong: boolean): HtmlValue => wrong && html` aria-invalid="true" aria-describedby="problem"`;

/** The e-mail address of an account: field `email`. */
export const emailField = (texts: Texts, { value, wrong, focus }: Field & { readonly value: string }): Html =>
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
      value="${value}"
      ${marked(wrong)}${focused(focus)}
    />
  </div>`;

/** A password that is chosen now: field `password`, with the rule for it. */
export const newPasswordField = (texts: Texts, label: string, { wrong, focus }: Field): Html =>
  html`<div class="field">
    <label for="password">${label}</label>
    <input
      id="password"
      name="password"
      type="password"
      autocomplete="new-password"
      minlength="8"
      required
      ${wrong ? html`aria-invalid="true" aria-describedby="problem rule"` : html`aria-describedby="rule"`}
      ${focused(focus)}
    />
    <p class="quiet" id="rule">${texts.newPasswordHint}</p>
  </div>`;

/** The address of a password, for password managers, which otherwise keep it without a name: field `username`. */
export const usernameField = (email: string): Html =>
  html`<input type="email" name="username" autocomplete="username" value="${email}" hidden readonly tabindex="-1" />`;

/** The button that sends the form. */
export const submit = (label: string): Html => html`<button class="primary" type="submit">${label}</button>`;
