import type { ModulePorts } from '@lyceum/service';
import { RateLimiter } from '@lyceum/web';
import type { ContentSettings } from './content-settings.ts';

/** What the service has beside the ports of every module. */
export interface ContentServicePorts {
  readonly limits: RateLimiter;
}

/** The ports of the service. */
export type ContentPorts = ModulePorts<ContentSettings> & ContentServicePorts;

/** Made once, at the start. */
export const contentServicePorts = (ports: ModulePorts<ContentSettings>): ContentServicePorts => ({
  limits: new RateLimiter(ports, ports.settings.RATE_LIMIT_FACTOR),
});
