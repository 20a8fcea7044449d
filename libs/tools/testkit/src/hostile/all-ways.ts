import { connectingWays } from './connecting-ways.ts';
import { readingWays } from './reading-ways.ts';
import type { Way } from './ways.ts';
import { writingWays } from './writing-ways.ts';

export const allWays: readonly Way[] = [...connectingWays, ...readingWays, ...writingWays];
