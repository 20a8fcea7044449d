import { layout, postForm } from './layout/layout.ts';
import { clientName, isLoopbackHost } from './markup/client-name.ts';
import { type Html, html } from './markup/html.ts';
import { sentence } from './markup/sentence.ts';
import type { ConsentModel, ConsentScope, PageClient } from './models/page-models.ts';
import type { Texts } from './texts/texts.ts';

const stroke = html`viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round"
stroke-linejoin="round" aria-hidden="true"`;
const eye = html`<svg ${stroke}>
  <path d="M2 12s3.5-7 10-7 10 7 10 7-3.5 7-10 7S2 12 2 12z" />
  <circle cx="12" cy="12" r="3" />
</svg>`;
const pencil = html`<svg ${stroke}><path d="M12 20h9M16.5 3.5a2.1 2.1 0 0 1 3 3L7 19l-4 1 1-4z" /></svg>`;

const row = (texts: Texts, { name }: ConsentScope): Html =>
  html`<li>
    <label>
      <input type="checkbox" name="scope" value="${name}" checked />
      <span>${texts.scopes[name]} <code>${name}</code></span>
    </label>
  </li> `;

const reads = (texts: Texts, scopes: readonly ConsentScope[]): Html =>
  html`<fieldset class="read" aria-describedby="read-hint">
    <legend>${eye} ${texts.readLegend}</legend>
    <p id="read-hint">${texts.readHint}</p>
    <ul class="scopes">
      ${scopes.map((scope) => row(texts, scope))}
    </ul>
  </fieldset>`;

const writes = (texts: Texts, scopes: readonly ConsentScope[]): Html =>
  html`<fieldset class="write" aria-describedby="write-hint">
    <legend>${pencil} ${texts.writeLegend}</legend>
    <p id="write-hint">${texts.writeHint}</p>
    <ul class="scopes">
      ${scopes.map((scope) => row(texts, scope))}
    </ul>
  </fieldset>`;

const permissions = (texts: Texts, scopes: readonly ConsentScope[]): Html => {
  const [reading, writing] = [scopes.filter((scope) => !scope.writes), scopes.filter((scope) => scope.writes)];
  if (scopes.length === 0) return html`<p>${texts.nothingAsked}</p>`;
  return html`<p class="hint">${texts.consentHint}</p>
    ${reading.length > 0 && reads(texts, reading)} ${writing.length > 0 && writes(texts, writing)}`;
};

/**
 * Enter inside a checkbox presses the first submit button of the form that is not disabled. So the first one asks to
 * close a dialog, and there is none: Enter decides nothing. Where a browser passes it by, Deny comes before Allow.
 * @see HTML Living Standard, implicit submission; form submission algorithm, method "dialog"
 */
const buttons = (texts: Texts): Html =>
  html`<button type="submit" formmethod="dialog" hidden></button>
    <div class="decision">
      <button type="submit" name="decision" value="deny">${texts.deny}</button>
      <button class="primary" type="submit" name="decision" value="approve">${texts.approve}</button>
    </div>`;

const facts = (texts: Texts, { account, anotherAccount, client }: ConsentModel): Html =>
  html`<dl class="facts">
    <div>
      <dt>${texts.signedInAs}</dt>
      <dd>
        <bdi><strong>${account.name}</strong></bdi> <bdi class="quiet">${account.email}</bdi>
        ${anotherAccount && html`<a class="small" href="${anotherAccount}">${texts.useAnotherAccount}</a>`}
      </dd>
    </div>
    <div>
      <dt>${texts.returnsTo}</dt>
      <dd>
        <bdi><code>${client.redirectHost}</code></bdi>
        <p>${returning(texts, client)}</p>
      </dd>
    </div>
    ${client.describedAt !== undefined && describedAt(texts, client.describedAt)}
  </dl>`;

/** A document proves where its client comes from, but not which program listens on this device. */
function returning(texts: Texts, { redirectHost, describedAt: document, isOwn }: PageClient): string {
  if (isOwn === true || !isLoopbackHost(redirectHost)) return texts.returnsToHost;
  return document === undefined ? texts.returnsToDevice : texts.anyProgramOnDevice;
}

const describedAt = (texts: Texts, host: string): Html =>
  html`<div>
    <dt>${texts.describedAt}</dt>
    <dd>
      <bdi><code>${host}</code></bdi>
      <p>${texts.describedAtHint}</p>
    </dd>
  </div>`;

const intro = (texts: Texts, { client, school }: ConsentModel): Html =>
  html`<div class="intro">
    <h1>${texts.consentTitle}</h1>
    <p>
      ${sentence(texts, 'consentLead', { client: clientName(texts, client.name), school: html`<bdi>${school.name}</bdi>` })}
    </p>
    ${client.isOwn !== true && html`<p class="small quiet">${texts.consentUnverified}</p>`}
  </div>`;

/**
 * The consent page: a checkbox `scope` per scope, reading and writing apart, and the buttons `decision=deny` and
 * `decision=approve`. Needs no JavaScript.
 */
export function consentPage(model: ConsentModel, texts: Texts): string {
  const { problem } = model;
  const content = html`<div class="card">
    ${intro(texts, model)}
    ${problem && html`<p class="problem" id="problem" role="alert" tabindex="-1" autofocus>${problem}</p>`}
    ${facts(texts, model)}
    ${postForm(model.form, ['scope', 'decision'], html`${permissions(texts, model.scopes)} ${buttons(texts)}`)}
  </div>`;
  return layout({ school: model.school, texts, title: texts.consentTitle, wide: true, content });
}
