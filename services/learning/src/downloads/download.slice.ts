import type { Slice } from '@lyceum/service';
import { ownDownloadOperations } from './own-downloads.ts';

/** What members download of the digital products that they were given, under their account. */
export const downloadSlice: Slice = { name: 'downloads', operations: ownDownloadOperations };
