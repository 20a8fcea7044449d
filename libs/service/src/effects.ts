import { begunInTurn, begunTogether } from './running/begun-together.ts';
import { startBackgroundJob } from './running/background-job.ts';
import type { OperatedProcess } from './process/operated-process.ts';
import { startProcess } from './process/slice-process.ts';
import { startReaction } from './reactions/reaction.ts';
import { hasRole } from './roles.ts';
import type { ServicePorts, Slice } from './slice.ts';

/** What goes on by itself in a service: reactions, process managers, background jobs. */
export interface Effects {
  /** Those that this process runs at present, as operators see them. */
  current(): readonly OperatedProcess[];
  close(): Promise<void>;
}

/** Starts the effects of slices. Without the role `consumer` there are none. */
export async function startEffects<Settings extends object, Own extends object>(
  ports: ServicePorts<Settings, Own>,
  service: string,
  slices: readonly Slice<Settings, Own>[],
): Promise<Effects> {
  const active = hasRole(ports, 'consumer') ? slices : [];
  const reactions = active.flatMap((slice) => slice.reactions ?? []);
  const processes = active.flatMap((slice) => slice.processes ?? []);
  const { reacting, managing } = await begunInTurn(async (keep) => {
    const reacting = await begunTogether(reactions.map((reaction) => startReaction(ports, service, reaction)));
    reacting.forEach(keep);
    const managing = await begunTogether(processes.map((process) => startProcess(ports, service, process)));
    return { reacting, managing };
  });
  const jobs = active.flatMap((slice) => slice.backgroundJobs ?? []).map((job) => startBackgroundJob(ports, job));
  return {
    current: () => [...managing, ...reacting].flatMap((each) => each.current() ?? []),
    async close() {
      await Promise.all([...reacting, ...managing, ...jobs].map((each) => each.close()));
    },
  };
}
