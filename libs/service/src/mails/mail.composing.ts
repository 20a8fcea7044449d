/** A mail, ready to be sent. */
export interface ComposedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** What a mail says. Every text is filled in already. */
export interface MailContents {
  /** BCP 47. */
  readonly language: string;
  readonly subject: string;
  readonly lead: string;
  /** Names and values, e.g. what was bought and what it cost. */
  readonly rows: readonly (readonly [name: string, value: string])[];
  /** The row below the others. */
  readonly total?: readonly [name: string, value: string] | undefined;
  /** Text of several lines that stands as it is. */
  readonly block?: string | undefined;
  /** What the link does. */
  readonly action: string;
  readonly link: string;
  readonly foot: string;
  /** Who writes. */
  readonly from: string;
}

/** One line: people choose names and titles freely. */
export const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim();

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '\r': '&#13;',
};
const html = (text: string): string => text.replace(/[&<>"'\r]/g, (character) => references[character] ?? '');

/** The same text in every line of a table: the name, then the value. */
const textRow = ([name, value]: readonly [string, string]): string => `${name}: ${value}`;

const [font, cell, button] = [
  'font-family:system-ui,sans-serif;font-size:16px;line-height:1.5;overflow-wrap:anywhere',
  'padding:6px 24px 6px 0;text-align:start;vertical-align:top',
  'display:inline-block;padding:12px 20px;border-radius:8px;background:#1f4fd8;color:#ffffff;text-decoration:none',
];

/** Characters that stand in one line on a telephone: an amount, and not an address. */
const together = 20;

function htmlRow([name, value]: readonly [string, string], weight = 'normal'): string {
  const unbroken = value.length > together ? '' : ';white-space:nowrap';
  return `<tr><th scope="row" style="${cell};font-weight:${weight}">${html(name)}</th><td style="${cell};font-weight:${weight}${unbroken}">${html(value)}</td></tr>`;
}

function table({ rows, total }: MailContents): string {
  if (rows.length === 0 && !total) return '';
  const all = [...rows.map((row) => htmlRow(row)), ...(total ? [htmlRow(total, 'bold')] : [])];
  return `<table style="border-collapse:collapse;margin:0 0 16px">${all.join('')}</table>`;
}

/** Composes a mail: as plain text, and the same as a page without pictures, scripts and links to count who reads it. */
export function composeMail(contents: MailContents): ComposedMail {
  const { language, subject, lead, rows, total, block, action, link, foot, from } = contents;
  const parts = [
    lead,
    [...rows, ...(total ? [total] : [])].map(textRow).join('\n'),
    block ?? '',
    `${action}:\n${link}`,
    foot,
    from,
  ];
  const paragraph = (text: string): string => (text === '' ? '' : `<p style="white-space:pre-line">${html(text)}</p>`);
  return {
    subject: oneLine(subject).slice(0, 400),
    text: `${parts.filter((part) => part !== '').join('\n\n')}\n`,
    html: `<!doctype html>
<html lang="${html(language)}">
<head><meta charset="utf-8"><title>${html(subject)}</title></head>
<body style="margin:0;padding:24px;${font}">
${paragraph(lead)}
${table(contents)}
${paragraph(block ?? '')}
<p><a href="${html(link)}" style="${button}">${html(action)}</a></p>
${paragraph(foot)}
${paragraph(from)}
</body>
</html>
`,
  };
}

/** A sentence with what its slots, e.g. `{school}`, stand for. */
export const filledText = (sentence: string, slots: Readonly<Record<string, string>>): string =>
  sentence.replaceAll(/\{(\w+)\}/g, (_, name: string) => slots[name] ?? '');
