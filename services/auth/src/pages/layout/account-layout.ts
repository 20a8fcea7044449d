import { type Html, html } from '../markup/html.ts';
import type { AccountPage } from '../models/page-models.ts';
import type { Texts } from '../texts/texts.ts';
import { layout } from './layout.ts';

interface AccountLayout {
  readonly title: string;
  readonly lead: Html;
  /** Which of the pages this is. */
  readonly here: 'apps' | 'sessions';
  /** What to say when something was just done. */
  readonly done: string;
  readonly content: Html;
}

const link = (path: string, label: string, current: boolean): Html =>
  html`<li><a href="${path}" ${current && html` aria-current="page"`}>${label}</a></li>`;

const navigation = (texts: Texts, { paths }: AccountPage, here: AccountLayout['here']): Html =>
  html`<nav class="tabs" aria-label="${texts.accountNavigation}">
    <ul>
      ${link(paths.apps, texts.clientsTitle, here === 'apps')}
      ${link(paths.sessions, texts.sessionsTitle, here === 'sessions')}
      ${link(paths.password, texts.changePasswordTitle, false)}
    </ul>
  </nav>`;

/** The frame of a signed-in person's own pages: who is signed in, the way between the pages, what was just done. */
export function accountLayout(
  model: AccountPage,
  texts: Texts,
  { title, lead, here, done, content }: AccountLayout,
): string {
  const { account } = model;
  const body = html`${navigation(texts, model, here)}
    <div class="card">
      <div class="intro">
        <h1>${title}</h1>
        <p class="quiet">${lead}</p>
      </div>
      ${model.done && html`<p class="done" role="status">${done}</p>`} ${content}
    </div>
    <p class="below small quiet">
      ${texts.signedInAs} <bdi><strong>${account.name}</strong></bdi
      >, <bdi>${account.email}</bdi>
      ${!account.emailVerified && html`<br /><a href="${model.paths.email}">${texts.verifyTitle}</a>`}
    </p>`;
  return layout({ school: model.school, texts, title, wide: true, content: body });
}
