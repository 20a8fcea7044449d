import type { Gap } from '@lyceum/eventlog';
import type { AnyModule } from './module.ts';
import type { OpenPorts } from './ports.ts';
import { StartRefused } from './refusal.ts';

/** Says which log it is that lacks a position, so that a start over it is refused. */
export function incompleteLog(
  { lane, at }: Gap,
  modules: readonly Pick<AnyModule, 'name'>[],
  open: Pick<OpenPorts, 'of'>,
): StartRefused {
  const owner = modules.find(({ name }) => open.of(name).log.standstills?.missingIn(lane) === at);
  return new StartRefused(`The event log of ${owner?.name ?? 'a service'} lacks position ${at} of its lane ${lane}`, [
    '  Bring the commit back that was lost there, or restore the log from a backup.',
  ]);
}
