import type { Slice } from '@lyceum/service';
import type { MediaServicePorts } from '../ports/media-ports.ts';
import type { MediaSettings } from '../ports/media-settings.ts';
import { cleaningUploads, removingBytes } from './file.cleaning.ts';
import { answerFiles, notingReferences } from './file.holders.ts';
import { scanningFiles } from './file.scanning.ts';

/** What files go through by themselves: they are scanned, kept while something names them, and their bytes go in the end. */
export const keepingSlice: Slice<MediaSettings, MediaServicePorts> = {
  name: 'keeping',
  operations: [],
  answers: { files: answerFiles },
  reactions: [removingBytes, scanningFiles, ...notingReferences],
  backgroundJobs: [cleaningUploads],
};
