import { homeLink, layout } from './layout/layout.ts';
import { html } from './markup/html.ts';
import type { SignedOutModel } from './models/page-models.ts';
import type { Texts } from './texts/texts.ts';

/** What a person sees after signing out everywhere: that it is done, and the way back in. */
export function signedOutPage({ school, again }: SignedOutModel, texts: Texts): string {
  const content = html`<div class="card">
    <div class="intro">
      <h1>${texts.everywhereDone}</h1>
      <p class="quiet">${texts.everywhereDoneHint}</p>
    </div>
    <a class="button primary" href="${again}">${texts.signInAgain}</a>
    ${homeLink(texts, school)}
  </div>`;
  return layout({ school, texts, title: texts.everywhereDone, content });
}
