import { layout, postForm } from './layout/layout.ts';
import { html } from './markup/html.ts';
import type { ConfirmModel } from './models/recovery-models.ts';
import type { Texts } from './texts/texts.ts';

/**
 * A page that asks before it does anything: mail programs and proxies open links by themselves, and nothing may happen
 * by that. Buttons `decision=yes` and `decision=no`.
 */
export function confirmPage({ school, form, title, message, yes, no }: ConfirmModel, texts: Texts): string {
  const refuse = no !== undefined && html`<button type="submit" name="decision" value="no">${no}</button>`;
  const buttons = html`<div class="decision">
    ${refuse}
    <button class="primary" type="submit" name="decision" value="yes">${yes}</button>
  </div>`;
  const content = html`<div class="card">
    <div class="intro">
      <h1>${title}</h1>
      <p class="quiet">${message}</p>
    </div>
    ${postForm(form, ['decision'], buttons)}
  </div>`;
  return layout({ school, texts, title, content });
}
