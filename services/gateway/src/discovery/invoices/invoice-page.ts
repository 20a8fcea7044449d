import type { UiLanguage } from '@lyceum/contracts';
import { type Document, document } from '../../http/document.ts';
import type { School } from '../../routing/school.ts';
import type { Site } from '../metadata/oauth-metadata.ts';
import { pageShell } from '../pages/page-shell.ts';
import { htmlText } from '../text/html-text.ts';
import { money } from '../text/money.ts';
import type { InvoiceDetail } from './invoice-detail.ts';
import { invoiceStyle } from './invoice-style.ts';
import { type InvoiceTexts, invoiceLanguages } from './invoice-texts.ts';

type Amount = InvoiceDetail['total'];

/** With what an invoice is written. */
interface Writing {
  readonly said: InvoiceTexts;
  readonly language: UiLanguage;
}

/** A day of the calendar (YYYY-MM-DD) as people write it in a language. */
const dayIn = (day: string, language: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(Date.parse(day));

/** A rate in hundredths of a per cent: 1950 is 19.5 %. */
const rateIn = (rate_bp: number, language: string): string =>
  new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 2 }).format(rate_bp / 10_000);

/** The name of a country (ISO 3166-1 alpha-2), or its letters where there is none. */
function countryIn(country: string, language: string): string {
  try {
    return new Intl.DisplayNames(language, { type: 'region' }).of(country) ?? country;
  } catch {
    return country;
  }
}

const filled = (sentence: string, slots: Readonly<Record<string, string>>): string =>
  sentence.replaceAll(/\{(\w+)\}/g, (_, name: string) => slots[name] ?? '');

const fact = (name: string, value: string): string => `<div><dt>${name}</dt><dd>${value}</dd></div>`;

function facts({ label, issued_on, order_number }: InvoiceDetail, { said, language }: Writing): string {
  const day = `<time datetime="${issued_on}">${htmlText(dayIn(issued_on, language))}</time>`;
  return `<dl>${fact(said.number, htmlText(label))}${fact(said.issued, day)}${fact(said.order, String(order_number))}</dl>`;
}

/** A seller or a buyer: each text a line, several lines as they were given. */
const party = (name: string, lines: readonly (string | null)[]): string => {
  const given = lines.filter((line) => line !== null && line !== '').map((line) => htmlText(line ?? ''));
  return `<section><h2>${name}</h2><p><bdi>${given.length === 0 ? '—' : given.join('\n')}</bdi></p></section>`;
};

function parties({ seller, buyer }: InvoiceDetail, { said, language }: Writing): string {
  const { company, name, address, tax_id, country } = buyer;
  const to = [company, name, address, country && countryIn(country, language), tax_id && `${said.taxId}: ${tax_id}`];
  return `<div class="parties">${party(said.from, [seller.name, seller.details])}${party(said.to, to)}</div>`;
}

/** What a line costs as it stands in the table: with the tax where prices are told with it. */
const shownOf = ({ tax_inclusive }: InvoiceDetail, { total, tax }: { readonly total: Amount; readonly tax: Amount }) =>
  tax_inclusive ? total : { ...total, amount: total.amount - tax.amount };

function lines(invoice: InvoiceDetail, { said, language }: Writing): string {
  const written = (amount: Amount | null) => (amount === null ? '' : htmlText(money(amount, language)));
  const isPriced = invoice.kind === 'invoice';
  const head = isPriced ? [said.description, said.quantity, said.price, said.amount] : [said.description, said.amount];
  const rows = invoice.lines.map((line) => {
    const amount =
      isPriced && line.discount
        ? { ...line.total, amount: shownOf(invoice, line).amount + line.discount.amount }
        : shownOf(invoice, line);
    const prices = isPriced ? `<td>${line.quantity ?? ''}</td><td>${written(line.unit_price)}</td>` : '';
    return `<tr><th scope="row"><bdi>${htmlText(line.title)}</bdi></th>${prices}<td>${written(amount)}</td></tr>`;
  });
  return `<thead><tr>${head.map((each) => `<th scope="col">${each}</th>`).join('')}</tr></thead>
<tbody>${rows.join('\n')}</tbody>`;
}

function sums(invoice: InvoiceDetail, { said, language }: Writing): string {
  const { kind, subtotal, discount_total, tax_inclusive, taxes, total } = invoice;
  const written = (amount: Amount) => htmlText(money(amount, language));
  const width = kind === 'invoice' ? 3 : 1;
  const row = (name: string, amount: string, isSum = false) =>
    `<tr${isSum ? ' class="sum"' : ''}><th scope="row" colspan="${width}">${name}</th><td>${amount}</td></tr>`;
  const taxed = taxes
    .filter(({ rate_bp }) => rate_bp > 0)
    .map(({ rate_bp, net, tax }) => {
      const slots = { rate: htmlText(rateIn(rate_bp, language)), net: written(net) };
      return row(filled(tax_inclusive ? said.taxIncluded : said.taxAdded, slots), written(tax));
    });
  const less = discount_total && discount_total.amount > 0 ? discount_total : null;
  const before = [
    ...(subtotal && (less || !tax_inclusive) ? [row(said.subtotal, written(subtotal))] : []),
    ...(less ? [row(said.discount, written({ ...less, amount: -less.amount }))] : []),
  ];
  const all = row(kind === 'invoice' ? said.total : said.credited, written(total), true);
  const rows = tax_inclusive ? [...before, all, ...taxed] : [...before, ...taxed, all];
  return `<tfoot>${rows.join('\n')}</tfoot>`;
}

/** What became of the money. */
function standing(
  { paid_on, refunded_on, of_invoice, of_credit_note }: InvoiceDetail,
  { said, language }: Writing,
): string {
  const day = (at: string) => htmlText(dayIn(at, language));
  const parts = [
    ...(of_invoice ? [filled(said.about, { number: htmlText(of_invoice.label) })] : []),
    ...(of_credit_note ? [filled(said.instead, { number: htmlText(of_credit_note.label) })] : []),
    ...(paid_on === null ? [] : [filled(said.paid, { date: day(paid_on) })]),
    ...(refunded_on === null ? [] : [filled(said.refunded, { date: day(refunded_on) })]),
  ];
  return `<p class="standing">${parts.join(' · ')}</p>`;
}

/**
 * The page of an invoice or a credit note, in the language of the reader: to look at, and to print on A4 or Letter. No
 * script, and nothing of it is kept on the way: it is about a person.
 */
export function invoicePage(
  { name: school }: Site,
  { look }: Pick<School, 'look'>,
  invoice: InvoiceDetail,
  language: UiLanguage,
): Document {
  const writing = { said: invoiceLanguages[language], language };
  const { said } = writing;
  const what = invoice.kind === 'invoice' ? said.invoice : said.creditNote;
  const body = `<main id="main">
<p class="hint">${said.print}</p>
<article class="sheet">
<div class="head"><h1>${what}</h1><p class="school"><bdi>${htmlText(school)}</bdi></p></div>
${facts(invoice, writing)}
${parties(invoice, writing)}
<div class="scroll" tabindex="0" role="region" aria-label="${what}"><table>
${lines(invoice, writing)}
${sums(invoice, writing)}
</table></div>
${standing(invoice, writing)}
</article>
</main>`;
  const title = `${what} ${htmlText(invoice.label)} · ${htmlText(school)}`;
  const head = '<meta name="robots" content="noindex">\n';
  const { html, policy } = pageShell(look, { language, title, head, body, style: invoiceStyle });
  return document('text/html; charset=utf-8', html, {
    vary: 'Accept, Accept-Language',
    cache: 'no-store',
    headers: policy,
  });
}
