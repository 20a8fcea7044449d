import { Damaged, type Gap } from '@lyceum/eventlog';
import { faultMessage } from '@lyceum/operations';
import { type AnyModule, StartRefused } from '@lyceum/service';
import type { OpenPorts } from '../engines/ports.ts';

/** Says which log it is that lacks a position, so that a start over it is refused. */
export function incompleteLog(
  gap: Gap,
  modules: readonly Pick<AnyModule, 'name'>[],
  open: Pick<OpenPorts, 'of'>,
): StartRefused {
  const { lane, at } = gap;
  const owner = modules.find(({ name }) => open.of(name).log.laneGaps?.missingIn(lane) === at);
  const reason = gap instanceof Damaged ? 'damaged' : 'missing';
  const fault = { lane, position: at, reason } as const;
  return new StartRefused(faultMessage(owner?.name ?? 'a service', fault), [
    '  node main.js log repair says what can be done, e.g. with a backup: --from=<folder>',
  ]);
}
