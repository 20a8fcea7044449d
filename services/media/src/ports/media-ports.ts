import { SignedPaths } from '@lyceum/contracts';
import type { ModulePorts } from '@lyceum/service';
import type { FileStore, SentStore } from '../bytes/file-store.ts';
import { LocalStore } from '../bytes/local-store.ts';
import { S3Store } from '../bytes/s3-store.ts';
import { Turns } from '../bytes/turns.ts';
import { type MediaSettings, bucketOf, directoryOf } from './media-settings.ts';

/** What the service has beside the ports of every module. */
export interface MediaServicePorts {
  readonly store: FileStore;
  /** The same, where bytes come through this service. */
  readonly sent: SentStore | undefined;
  readonly signed: SignedPaths;
  readonly turns: Turns;
}

/** The ports of the service. */
export type MediaPorts = ModulePorts<MediaSettings> & MediaServicePorts;

type Stores = Pick<MediaServicePorts, 'store' | 'sent'>;

const stores = new WeakMap<object, Stores>();

/** Where the settings say that files are kept; the same for the same settings. */
export function storeOf(settings: ModulePorts<MediaSettings>['settings']): Stores {
  let found = stores.get(settings);
  if (found) return found;
  const bucket = bucketOf(settings);
  if (bucket) found = { store: new S3Store(bucket), sent: undefined };
  else {
    const local = new LocalStore(directoryOf(settings));
    found = { store: local, sent: local };
  }
  stores.set(settings, found);
  return found;
}

/** Made once, at the start. */
export const mediaServicePorts = ({ settings, rootKeys }: ModulePorts<MediaSettings>): MediaServicePorts => ({
  ...storeOf(settings),
  signed: new SignedPaths(rootKeys),
  turns: new Turns(),
});
