import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { english } from '../texts/en.ts';
import type { Texts } from '../texts/texts.ts';
import { html, trusted } from './html.ts';
import { sentence } from './sentence.ts';

const references: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&#13;': '\r',
  '&amp;': '&',
};
const parsed = (markup: string): string =>
  markup.replace(/&(?:lt|gt|quot|#39|#13|amp);/g, (reference) => references[reference] as string);

const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom(...'<>"\'&;=/ \r\n`', 'script', '&lt;', '&#39;', '{school}') }),
);

describe('html', () => {
  test('no text closes or opens anything, between tags or inside a quoted attribute', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const escaped = html`${text}`.toString();
        expect(escaped).not.toMatch(/[<>"'\r]/);
        expect(escaped).not.toMatch(/&(?!(?:lt|gt|quot|#39|#13|amp);)/);
      }),
    );
  });

  test('a parser reads back exactly the text that went in', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(parsed(html`${text}`.toString())).toBe(text);
        expect(html`<p title="${text}">${text}</p>`.toString().match(/<|>|"/g)).toHaveLength(6);
      }),
    );
  });

  test('markup stays markup, lists are joined, numbers are written, nothing leaves nothing', () => {
    const bold = ['a<', 'b'].map((text) => html`<b>${text}</b>`);
    expect(html`${bold}${7}${undefined}${false}`.toString()).toBe('<b>a&lt;</b><b>b</b>7');
    expect(html`${trusted('<hr>')}`.toString()).toBe('<hr>');
  });

  test('an object that only looks like markup is refused or escaped, never trusted', () => {
    const forged = { toString: () => '<script>' } as unknown as string;
    expect(() => html`${forged}`.toString()).toThrow(TypeError);
  });

  test('an attribute without quotes is refused', () => {
    expect(() => html`<p title=${'x onclick=y'}></p>`).toThrow('an attribute without quotes');
  });
});

describe('sentence', () => {
  const turned: Texts = { ...english, browserOn: '{system} <- {browser}, {browser}' };

  test('slots take text and markup, wherever a translation puts them', () => {
    expect(sentence(turned, 'browserOn', { browser: '<1>', system: html`<b>2</b>` }).toString()).toBe(
      '<b>2</b> &lt;- &lt;1&gt;, &lt;1&gt;',
    );
  });

  test('a value that reads like a slot is not filled again', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const slots = { browser: text, system: '{browser}' };
        expect(sentence(english, 'browserOn', slots).toString()).toBe(`${html`${text}`.toString()} on {browser}`);
      }),
    );
  });
});
