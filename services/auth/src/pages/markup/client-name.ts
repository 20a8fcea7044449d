import type { Texts } from '../texts/texts.ts';
import { type Html, html } from './html.ts';

const longest = 60;

/**
 * A client's own name as it may stand in a sentence of ours: one line, at most 60 characters, isolated from the
 * direction of the text around it, so that a name can neither push the redirect host away nor reorder it.
 */
export function clientName(texts: Texts, name: string): Html {
  // Controls, direction marks and zero-width characters have no honest use in a name.
  const line = name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  const characters = Array.from(line);
  const shown = characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : line;
  return html`<bdi><strong>${shown || texts.unnamedClient}</strong></bdi>`;
}

/** Whether a redirect host (with or without a port) is a program on the person's own device. @see RFC 8252 §7.3 */
export const isLoopbackHost = (host: string): boolean => /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(host);
