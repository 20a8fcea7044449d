import { homeLink, layout } from './layout/layout.ts';
import { type Html, html } from './markup/html.ts';
import type { ErrorModel } from './models/page-models.ts';
import type { Texts } from './texts/texts.ts';

const fact = (term: string, value: string | undefined): Html | undefined =>
  value === undefined
    ? undefined
    : html`<div>
        <dt>${term}</dt>
        <dd><code>${value}</code></dd>
      </div>`;

/** A page for an error that must not be redirected. Shows what it is given: no cause, no stack. @see RFC 6749 §4.1.2.1 */
export function errorPage(model: ErrorModel, texts: Texts): string {
  const { code, requestId, onward, school } = model;
  const facts = html`<dl class="facts">${fact(texts.errorCode, code)}${fact(texts.requestId, requestId)}</dl>`;
  const content = html`<div class="card">
    <div class="intro">
      <h1>${model.title}</h1>
      <p class="quiet">${model.message}</p>
    </div>
    ${onward && html`<a class="button primary" href="${onward.href}">${onward.label}</a>`}
    ${school && homeLink(texts, school)} ${(code ?? requestId) !== undefined && facts}
  </div>`;
  return layout({ school, texts, title: model.title, content });
}
