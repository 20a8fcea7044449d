import { refuseHalfRestored } from '@lyceum/operations';
import { refuseLostLogs } from './data-complete.ts';
import type { AnyModule } from '@lyceum/service';
import type { ProcessSettings } from '../settings/settings.ts';
import { presentKeys } from '../settings/wrapping-keys.ts';

/** Throws `StartRefused` for one reason not to start; changes nothing. */
export type Refuse = () => Promise<unknown>;

/** What a start asks of its data folder and its keys before it opens anything, and `--check` too, which opens nothing else. */
export function dataChecks(modules: readonly AnyModule[], settings: ProcessSettings): readonly Refuse[] {
  const kept = modules.flatMap(({ name, stateless }) => (stateless ? [] : [name]));
  return [
    () => refuseHalfRestored(settings.DATA_DIR),
    ...(settings.MONGODB_URL === undefined ? [() => refuseLostLogs(settings.DATA_DIR, kept)] : []),
    ...(kept.length > 0 ? [() => presentKeys(settings)] : []),
  ];
}
