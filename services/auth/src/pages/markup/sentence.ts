import type { PluralKey, SentenceKey, SlotsOf, Texts } from '../texts/texts.ts';
import { type Html, html, type HtmlValue } from './html.ts';

type Values = Readonly<Record<string, HtmlValue>>;

/** A sentence with its slots filled; text is escaped, markup stays. A forgotten slot does not compile. */
export const sentence = <K extends SentenceKey>(
  texts: Texts,
  key: K,
  slots: Readonly<Record<SlotsOf<K>, HtmlValue>>,
): Html => filled(texts[key], slots);

/** A sentence in the form that the language has for this number, which fills its slot `{count}`. */
export function counted<K extends PluralKey>(
  texts: Texts,
  key: K,
  count: number,
  slots: Readonly<Record<SlotsOf<K>, HtmlValue>>,
): Html {
  const forms = texts[key];
  const template = forms[new Intl.PluralRules(texts.lang).select(count)] ?? forms.other;
  return filled(template, { ...slots, count: new Intl.NumberFormat(texts.lang).format(count) });
}

const filled = (template: string, slots: Values): Html => {
  const parts = template
    .split(/(\{\w+\})/)
    .map((part) => (part.startsWith('{') && part.endsWith('}') ? slots[part.slice(1, -1)] : part));
  return html`${parts}`;
};
