import { homeLink, layout } from './layout/layout.ts';
import { html } from './markup/html.ts';
import type { NoticeModel } from './models/recovery-models.ts';
import type { Texts } from './texts/texts.ts';

/** A page that tells a person one thing: that a mail is on its way, that something is done. */
export function noticePage({ school, title, message, onward, instead }: NoticeModel, texts: Texts): string {
  const content = html`<div class="card">
    <div class="intro">
      <h1>${title}</h1>
      <p class="quiet">${message}</p>
    </div>
    ${onward && html`<a class="button primary" href="${onward.href}">${onward.label}</a>`}
    ${instead && html`<a class="button" href="${instead.href}">${instead.label}</a>`} ${homeLink(texts, school)}
  </div>`;
  return layout({ school, texts, title, content });
}
