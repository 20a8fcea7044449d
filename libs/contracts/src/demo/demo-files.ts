import { uuidv5 } from '@lyceum/kernel';

/** A document of a demo school: a page with a title and some lines of ASCII text. */
export interface DemoFile {
  /** Without its extension. */
  readonly name: string;
  readonly title: string;
  readonly lines: readonly string[];
}

/** The id of the file of a demo school with this name: always the same, so that every service can derive it. */
export const demoFileId = (school: string, name: string): string => `upload_${uuidv5('demo-file', school, name)}`;

const file = (name: string, title: string, ...lines: readonly string[]): DemoFile => ({ name, title, lines });

const shapes = ['star', 'globe', 'fox', 'moon', 'carp', 'house', 'tulip', 'owl'] as const;

/** The files of the demo schools, by slug. */
export const demoFiles: Readonly<Record<string, readonly DemoFile[]>> = {
  'lantern-craft': [
    file(
      'templates-a4',
      'Twelve lantern templates, A4',
      'Print at 100 %.',
      'Score along the dots, fold away from you.',
    ),
    file('templates-letter', 'Twelve lantern templates, Letter', 'Print at 100 %.', 'Score along the dots.'),
    ...shapes.map((shape) =>
      file(`template-${shape}`, `Template: ${shape}`, 'Cut along the line.', 'Glue tab A to B.'),
    ),
    file('paper-chart', 'Which paper for which light', 'Washi: warm and even.', 'Kraft: sturdy, for outside.'),
    file('parade-handbook', 'The parade handbook', 'Gloves, tape, a spare candle, a friend.', 'Keep to the left.'),
  ],
  'north-quay': [file('notation-paper', 'Blank notation paper', 'Bunka-fu and staff.')],
};

const escaped = (text: string): string => text.replaceAll(/[\\()]/g, String.raw`\$&`);

/** A demo file as the least PDF that shows it: the same bytes every time, all of them ASCII. */
export function demoPdf({ title, lines }: DemoFile): string {
  const [first, ...others] = [`/F 20 Tf 60 760 Td (${escaped(title)}) Tj /F 12 Tf`, ...lines.map(escaped)];
  const text = ['BT', first, ...others.map((line) => `0 -28 Td (${line}) Tj`), 'ET'].join('\n');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let body = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
  return `${body}${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`;
}
