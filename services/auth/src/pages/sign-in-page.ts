import { resetPath } from '../local-paths.ts';
import { formLayout } from './layout/form-layout.ts';
import { clientName } from './markup/client-name.ts';
import { emailField, marked, submit } from './markup/fields.ts';
import { type Html, html } from './markup/html.ts';
import { sentence } from './markup/sentence.ts';
import type { SignInModel } from './models/page-models.ts';
import type { Texts } from './texts/texts.ts';

const lead = (texts: Texts, { school, client }: SignInModel): Html => {
  const name = html`<bdi>${school.name}</bdi>`;
  if (!client) return sentence(texts, 'signInLead', { school: name });
  const host = html`<bdi><code>${client.redirectHost}</code></bdi>`;
  return sentence(texts, 'signInForClient', { client: clientName(texts, client.name), school: name, host });
};

/** Which of the two is wrong is never told, so both are marked; the cursor waits in the first one left to fill. */
const fields = (texts: Texts, { email = '', problem }: SignInModel): Html => {
  const wrong = problem !== undefined;
  return html`${emailField(texts, { value: email, wrong, focus: !email })}
    <div class="field">
      <label for="password">${texts.password}</label>
      <input
        id="password"
        name="password"
        type="password"
        autocomplete="current-password"
        required${marked(wrong)}${email && html` autofocus`}
      />
    </div>
    ${submit(texts.signIn)}`;
};

/** The sign-in page: fields `email` and `password`, and the hidden fields as given. */
export function signInPage(model: SignInModel, texts: Texts): string {
  const { school, form, problem, signUp } = model;
  const below = html`<p class="quiet"><a href="${resetPath}">${texts.forgotPassword}</a></p>
    ${signUp && html`<p class="quiet"><a href="${signUp}">${texts.createAccount}</a></p>`}`;
  const asked = { names: ['email', 'password'], fields: fields(texts, model) };
  const shown = { school, title: texts.signInTitle, lead: lead(texts, model), problem, form, ...asked, below };
  return formLayout(shown, texts);
}
