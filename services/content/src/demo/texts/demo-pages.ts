import type { z } from 'zod';
import type { draftBody } from '../../pages/page.schema.ts';
import { lanternPages } from './lantern-pages.ts';
import { musicPages } from './music-pages.ts';

type Draft = z.input<typeof draftBody>;

/** What becomes of a demo page, in this order. */
export type DemoPageStep =
  | { readonly do: 'publish'; readonly at: string }
  | { readonly do: 'save'; readonly at: string; readonly draft: DemoDraft }
  | { readonly do: 'roll back'; readonly at: string; readonly to: number }
  /** So many days after the one on which the demo begins. */
  | { readonly do: 'schedule'; readonly at: string; readonly inDays: number };

/** What a page says. An image is the name of one of the demo. */
export type DemoDraft = Draft;

/** One page of the demo. Those that every school has are there already. */
export interface DemoPage {
  readonly kind: 'home' | 'terms' | 'privacy' | 'custom';
  readonly slug: string;
  readonly at: string;
  readonly draft: DemoDraft;
  readonly next: readonly DemoPageStep[];
}

/** The pages of the demo schools, by slug. */
export const demoPages: Readonly<Record<string, readonly DemoPage[]>> = {
  'lantern-craft': lanternPages,
  'north-quay': musicPages,
};
