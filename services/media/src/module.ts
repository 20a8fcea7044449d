import { routesOf } from '@lyceum/contracts';
import { domainModule } from '@lyceum/service';
import { avatarSlice } from './avatars/avatar.slice.ts';
import { describeBytes } from './endpoints/description.ts';
import { demoSlice } from './demo/demo.ts';
import { byteEndpoints } from './endpoints/endpoints.ts';
import { keepingSlice } from './keeping/keeping.slice.ts';
import { mediaServicePorts } from './ports/media-ports.ts';
import { mediaSettings } from './ports/media-settings.ts';
import { storageSlice } from './storage/storage.slice.ts';
import { uploadSlice } from './uploads/upload.slice.ts';

/** The files of every school: their bytes, and who may send and read them. */
export const media = domainModule({
  name: 'media',
  routes: routesOf('media'),
  settings: mediaSettings,
  slices: [uploadSlice, storageSlice, avatarSlice, keepingSlice, demoSlice],
  ownPorts: mediaServicePorts,
  endpoints: { serve: byteEndpoints, describe: describeBytes },
});
