import type { z } from 'zod';
import type { createPostBody } from '../../posts/post.schema.ts';
import { lanternPosts } from './lantern-posts.ts';
import { musicPosts } from './music-posts.ts';

/** What becomes of a demo post, at a time of its own, in this order. */
export type DemoPostStep =
  | { readonly do: 'publish' | 'unpublish' | 'pin'; readonly at: string }
  | { readonly do: 'rewrite'; readonly at: string; readonly body: string }
  /** So many days after the one on which the demo begins. */
  | { readonly do: 'schedule'; readonly at: string; readonly inDays: number };

/** One post of the demo, as a client would send it. */
export interface DemoPost {
  readonly body: Omit<z.input<typeof createPostBody>, 'author_id' | 'plan_ids' | 'cover'> & { readonly slug: string };
  /** Local part of the address of the account that writes it. */
  readonly by: 'owner' | 'admin' | 'lecturer';
  /** The slug of the lecturer who is named as its author. */
  readonly author?: string;
  /** Slugs of the plans that open it. */
  readonly plans?: readonly string[];
  /** The name of an image of the demo. */
  readonly cover?: string;
  readonly at: string;
  readonly next: readonly DemoPostStep[];
}

/** What the demo schools write, by slug. */
export const demoPosts: Readonly<Record<string, readonly DemoPost[]>> = {
  'lantern-craft': lanternPosts,
  'north-quay': musicPosts,
};
