import type { Preparation } from './boot.ts';
import { demoHistory } from './demo-history.ts';
import type { AnyModule } from '@lyceum/service';
import { isWhole } from '../settings/peers.ts';
import type { ProcessSettings } from '../settings/settings.ts';

/**
 * Writes the modules' own parts of the demo when they are not all that there is and DEMO_PASSWORD is set: each service
 * that consumes seeds itself, in any order, at each start. Undefined when nothing is to be done.
 */
export function ownPartOfDemo(modules: readonly AnyModule[], settings: ProcessSettings): Preparation | undefined {
  const { DEMO_PASSWORD: password, BASE_URL: baseUrl, ROLE } = settings;
  if (password === undefined || isWhole(modules) || !ROLE.includes('consumer')) return undefined;
  const { port, protocol } = new URL(baseUrl);
  const demo = { password, baseUrl, port: Number(port || (protocol === 'https:' ? 443 : 80)) };
  return async (assembly) => {
    for (const { name } of modules) await assembly.module(name)?.seedDemo?.(demo);
    return {
      notes: [],
      meanwhile: demoHistory(
        assembly,
        modules.map(({ name }) => name),
        demo,
      ),
    };
  };
}
