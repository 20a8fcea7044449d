import type { Slice } from '@lyceum/service';
import { boughtReactions } from './bought.ts';

/** That members have what they bought, and no more what was taken back. */
export const boughtSlice: Slice = { name: 'bought', operations: [], reactions: boughtReactions };
