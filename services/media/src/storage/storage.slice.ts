import type { Slice } from '@lyceum/service';
import type { MediaServicePorts } from '../ports/media-ports.ts';
import type { MediaSettings } from '../ports/media-settings.ts';
import { uploadOperations } from './upload.http.ts';

/** How the staff announce files, read what became of them, and delete them. */
export const storageSlice: Slice<MediaSettings, MediaServicePorts> = { name: 'storage', operations: uploadOperations };
