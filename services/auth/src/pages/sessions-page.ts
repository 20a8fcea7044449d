import { accountLayout } from './layout/account-layout.ts';
import { postForm } from './layout/layout.ts';
import { type Html, html } from './markup/html.ts';
import { moment } from './markup/moment.ts';
import { sentence } from './markup/sentence.ts';
import type { SessionsModel, ShownSession } from './models/page-models.ts';
import type { Texts } from './texts/texts.ts';

const nameOf = (texts: Texts, { browser, system }: ShownSession): Html => {
  if (browser && system) return sentence(texts, 'browserOn', { browser, system });
  return html`${browser ?? system ?? texts.unknownBrowser}`;
};

const fact = (term: string, value: Html | string): Html =>
  html`<div>
    <dt>${term}</dt>
    <dd>${value}</dd>
  </div>`;

const facts = (texts: Texts, { since, used, address }: ShownSession, timezone: string): Html =>
  html`<dl>
    ${fact(texts.signedInAt, moment(texts, since, timezone))} ${fact(texts.lastUsed, moment(texts, used, timezone))}
    ${address !== null && fact(texts.sessionAddress, html`<bdi><code>${address}</code></bdi>`)}
  </dl>`;

const item = (texts: Texts, model: SessionsModel, session: ShownSession, index: number): Html => {
  const { form, timezone } = model;
  const hidden = { ...form.hidden, session: session.sid };
  const button = html`<button type="submit" aria-describedby="session-${index}">${texts.endSession}</button>`;
  return html`<li class="item bare">
    <h2 id="session-${index}">
      ${nameOf(texts, session)} ${session.current && html`<span class="badge">${texts.sessionHere}</span>`}
    </h2>
    ${postForm({ ...form, hidden }, [], button)} ${facts(texts, session, timezone)}
  </li>`;
};

const everywhere = (texts: Texts, { form, paths }: SessionsModel): Html =>
  html`<section class="last" aria-labelledby="everywhere">
    <h2 id="everywhere">${texts.everywhereTitle}</h2>
    <p class="quiet">${texts.everywhereHint}</p>
    ${postForm(
      { ...form, action: paths.everywhere },
      [],
      html`<button class="serious" type="submit">${texts.everywhere}</button>`,
    )}
  </section>`;

/**
 * The browsers in which the person is signed in. Each has a form with the hidden field `session`; posting it ends that
 * sign-in. The last form ends everything. Needs no JavaScript.
 */
export function sessionsPage(model: SessionsModel, texts: Texts): string {
  const content = html`<ul class="items">
      ${model.sessions.map((session, index) => item(texts, model, session, index))}
    </ul>
    ${everywhere(texts, model)}`;
  return accountLayout(model, texts, {
    title: texts.sessionsTitle,
    lead: sentence(texts, 'sessionsLead', { school: html`<bdi>${model.school.name}</bdi>` }),
    here: 'sessions',
    done: texts.sessionEnded,
    content,
  });
}
