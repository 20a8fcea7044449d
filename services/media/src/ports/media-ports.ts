import { SignedPaths } from '@lyceum/contracts';
import type { ModulePorts } from '@lyceum/service';
import { LocalStore } from '../bytes/local-store.ts';
import { Turns } from '../bytes/turns.ts';
import { type MediaSettings, directoryOf } from './media-settings.ts';

/** What the service has beside the ports of every module. */
export interface MediaServicePorts {
  readonly store: LocalStore;
  readonly signed: SignedPaths;
  readonly turns: Turns;
  /** The schools that there are, as far as is known. */
  readonly schools: Set<string>;
}

/** The ports of the service. */
export type MediaPorts = ModulePorts<MediaSettings> & MediaServicePorts;

/** Made once, at the start. */
export const mediaServicePorts = ({ settings, rootKeys }: ModulePorts<MediaSettings>): MediaServicePorts => ({
  store: new LocalStore(directoryOf(settings)),
  signed: new SignedPaths(rootKeys),
  turns: new Turns(),
  schools: new Set(),
});
