import { accountLayout } from './layout/account-layout.ts';
import { postForm } from './layout/layout.ts';
import { clientName } from './markup/client-name.ts';
import { type Html, html } from './markup/html.ts';
import { moment } from './markup/moment.ts';
import { monogram } from './markup/monogram.ts';
import { counted, sentence } from './markup/sentence.ts';
import type { ClientsModel, ShownClient } from './models/page-models.ts';
import type { Texts } from './texts/texts.ts';

const permissions = (texts: Texts, { scopes }: ShownClient): Html =>
  html`<details>
    <summary>${counted(texts, 'clientPermissions', scopes.length, {})}</summary>
    <ul class="list">
      ${scopes.map((scope) => html`<li>${texts.scopes[scope]} <code>${scope}</code></li>`)}
    </ul>
  </details>`;

const hosts = (texts: Texts, shown: readonly string[]): Html =>
  html`<div>
    <dt>${texts.clientHost}</dt>
    <dd>${shown.slice(0, 3).map((host) => html`<bdi><code>${host}</code></bdi> `)}${shown.length > 3 && '…'}</dd>
  </div>`;

const facts = (texts: Texts, { hosts: shown, since, used }: ShownClient, timezone: string): Html =>
  html`<dl>
    ${shown.length > 0 && hosts(texts, shown)}
    <div>
      <dt>${texts.connectedSince}</dt>
      <dd>${moment(texts, since, timezone)}</dd>
    </div>
    <div>
      <dt>${texts.lastUsed}</dt>
      <dd>${moment(texts, used, timezone)}</dd>
    </div>
  </dl>`;

const item = (texts: Texts, model: ClientsModel, client: ShownClient, index: number): Html => {
  const { form, timezone } = model;
  const hidden = { ...form.hidden, client: client.id };
  const button = html`<button type="submit" aria-describedby="client-${index}">${texts.disconnect}</button>`;
  return html`<li class="item">
    <span class="monogram soft" aria-hidden="true">${monogram(client.name ?? '') || '?'}</span>
    <h2 id="client-${index}">${clientName(texts, client.name ?? '')}</h2>
    ${postForm({ ...form, hidden }, [], button)} ${facts(texts, client, timezone)} ${permissions(texts, client)}
  </li>`;
};

const nothing = (texts: Texts): Html =>
  html`<div class="nothing">
    <p><strong>${texts.clientsNone}</strong></p>
    <p class="quiet">${texts.clientsNoneHint}</p>
  </div>`;

/**
 * The applications that may use the person's account. Each has a form with the hidden field `client`; posting it
 * disconnects the application. Needs no JavaScript.
 */
export function clientsPage(model: ClientsModel, texts: Texts): string {
  const { clients } = model;
  const content = html`${clients.length === 0 && nothing(texts)}
  ${
    clients.length > 0 &&
    html`<ul class="items">
      ${clients.map((client, index) => item(texts, model, client, index))}
    </ul>`
  }`;
  return accountLayout(model, texts, {
    title: texts.clientsTitle,
    lead: sentence(texts, 'clientsLead', { school: html`<bdi>${model.school.name}</bdi>` }),
    here: 'apps',
    done: texts.disconnected,
    content,
  });
}
