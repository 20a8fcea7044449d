import type { Slice } from '@lyceum/service';
import { noticingReaction } from './noticing.ts';

/** Courses that are completed because they ask for less. */
export const completionSlice: Slice = { name: 'completions', operations: [], reactions: [noticingReaction] };
