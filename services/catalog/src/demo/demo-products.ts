import { demoFileId, demoFiles, demoPdf, demoSchoolId } from '@lyceum/contracts';
import type { z } from 'zod';
import type { File } from '../products/product.fields.ts';
import type { createProductBody } from '../products/product.schema.ts';

/** One digital product of the demo, with at most one price. */
export interface DemoProduct {
  readonly body: z.input<typeof createProductBody> & { readonly slug: string };
  readonly files: readonly File[];
  readonly published: boolean;
}

/** The files of a school by their names. What is new of them the media service sends in the background. */
function pdfs(slug: string, ...names: readonly string[]): readonly File[] {
  const known = demoFiles[slug] ?? [];
  return names.map((name) => {
    const file = known.find((each) => each.name === name);
    if (!file) throw new Error(`there is no demo file ${name}`);
    const file_id = demoFileId(demoSchoolId(slug), name);
    return { file_id, name: `${name}.pdf`, size: demoPdf(file).length, type: 'application/pdf' };
  });
}

/** What the demo schools offer for download, by school. */
export const demoProducts: Readonly<Record<string, readonly DemoProduct[]>> = {
  'lantern-craft': [
    {
      body: {
        slug: 'templates',
        title: 'Twelve lantern templates',
        summary: 'Print, score, fold: stars, globes and a fox.',
        prices: [{ amount: 900 }],
        download_limit: 5,
      },
      files: pdfs(
        'lantern-craft',
        'templates-a4',
        'templates-letter',
        ...['star', 'globe', 'fox', 'moon', 'carp', 'house', 'tulip', 'owl'].map((shape) => `template-${shape}`),
      ),
      published: true,
    },
    {
      body: { slug: 'paper-chart', title: 'Which paper for which light', summary: 'One page for the wall. Free.' },
      files: pdfs('lantern-craft', 'paper-chart'),
      published: true,
    },
    {
      body: { slug: 'parade-handbook', title: 'The parade handbook', access: 'members' },
      files: pdfs('lantern-craft', 'parade-handbook'),
      published: false,
    },
  ],
  'north-quay': [
    {
      body: {
        slug: 'templates',
        title: 'Blank notation paper',
        summary: 'Bunka-fu and staff.',
        prices: [{ amount: 500 }],
      },
      files: pdfs('north-quay', 'notation-paper'),
      published: true,
    },
  ],
};
