import { type Html, html, type HtmlValue } from './html.ts';
import type { Slots } from './texts.ts';

/** A sentence of the catalogue with its slots filled; text is escaped, markup stays. A forgotten slot does not compile. */
export function sentence<Template extends string>(
  template: Template,
  slots: Readonly<Record<Slots<Template>, HtmlValue>>,
): Html {
  const values: Readonly<Record<string, HtmlValue>> = slots;
  const parts = template
    .split(/(\{\w+\})/)
    .map((part) => (part.startsWith('{') && part.endsWith('}') ? values[part.slice(1, -1)] : part));
  return html`${parts}`;
}
