import type { DomainEvent } from '@lyceum/kernel';
import type { ProcessManager } from '../process/process.ts';
import type { Reaction } from '../reactions/reaction.ts';
import type { Arrived, ServicePorts, Slice } from '../slice.ts';

/**
 * The slice, whose reactions and process managers do nothing for a school until all of it is here: what follows from its
 * events may be among the commits still to come, and would be refused then as something else.
 */
export function onceArrived<Settings extends object, Own extends object>(
  slice: Slice<Settings, Own>,
  arrived: Arrived,
): Slice<Settings, Own> {
  const { reactions, processes } = slice;
  return {
    ...slice,
    ...(reactions ? { reactions: reactions.map((reaction) => waitingReaction(reaction, arrived)) } : {}),
    ...(processes
      ? { processes: processes.map((each) => ({ ...each, manager: waitingProcess(each.manager, arrived) })) }
      : {}),
  };
}

const waitingReaction = <Settings extends object>(
  reaction: Reaction<Settings>,
  arrived: Arrived,
): Reaction<Settings> => ({
  ...reaction,
  async perform(event, ports, closing) {
    await arrived(event.tenant, ports);
    await reaction.perform(event, ports, closing);
  },
});

const waitingProcess = <State, Settings extends object, Own extends object>(
  manager: ProcessManager<State, DomainEvent, unknown, ServicePorts<Settings, Own>>,
  arrived: Arrived,
): typeof manager => ({
  ...manager,
  async carryOut(command, order, ports) {
    await arrived(order.tenant, ports);
    return manager.carryOut(command, order, ports);
  },
});
