import type { z } from 'zod';
import type { File } from '../products/product.fields.ts';
import type { createProductBody } from '../products/product.schema.ts';

/** One digital product of the demo, with at most one price. */
export interface DemoProduct {
  readonly body: z.input<typeof createProductBody> & { readonly slug: string };
  readonly files: readonly File[];
  readonly published: boolean;
}

const pdf = (name: string, size: number): File => ({
  file_id: `demo-${name}`,
  name: `${name}.pdf`,
  size,
  type: 'application/pdf',
});

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
      files: [pdf('templates-a4', 184_000), pdf('templates-letter', 186_000)],
      published: true,
    },
    {
      body: { slug: 'paper-chart', title: 'Which paper for which light', summary: 'One page for the wall. Free.' },
      files: [pdf('paper-chart', 42_000)],
      published: true,
    },
    {
      body: { slug: 'parade-handbook', title: 'The parade handbook', access: 'members' },
      files: [pdf('parade-handbook', 960_000)],
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
      files: [pdf('notation-paper', 21_000)],
      published: true,
    },
  ],
};
