import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Append, EventLog } from '@lyceum/eventlog';
import { type Clock, storedJson } from '@lyceum/kernel';
import { overriding } from '../service/overriding.ts';

/**
 * Preloaded into a process of services (`node --import`), this has it die by SIGKILL at a commit that is named, and has
 * services of it live ahead of the clock of the machine. What it does stands in `FUSED_SERVICES`, as JSON.
 */
interface Fused {
  /** Where it dies; nowhere when not given. */
  readonly dies?: {
    /** The service whose log it is. */
    readonly service: string;
    /** The type of an event of the commit, or the beginning of the name of a stream of it, ended by `/`. */
    readonly event: string;
    readonly when: 'before' | 'after';
    /** The n-th such commit, from 1. */
    readonly passage: number;
  };
  /** Milliseconds that the services which are named are ahead. */
  readonly ahead?: { readonly services: readonly string[]; readonly by: number };
}

interface FusedPorts {
  readonly log: EventLog;
  readonly clock: Clock;
}

interface FusedModule {
  start(ports: FusedPorts): Promise<unknown>;
}

const { dies, ahead }: Fused = storedJson(process.env['FUSED_SERVICES'] ?? '{}');

/** The very modules that the process starts: it finds them at the same addresses. */
const root = join(import.meta.dirname, '../../../../..');

const names = new Set([...(dies ? [dies.service] : []), ...(ahead?.services ?? [])]);

let left = dies?.passage ?? 0;

/** SIGKILL at the last passage: nothing is flushed, nothing is closed, no handler runs. */
function pass(when: 'before' | 'after', { events }: Append): void {
  const isIt = ({ type, stream }: Append['events'][number]) =>
    dies !== undefined && (dies.event.endsWith('/') ? stream.startsWith(dies.event) : type === dies.event);
  if (when !== dies?.when || !events.some(isIt)) return;
  left -= 1;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
}

const fusedLog = (log: EventLog): EventLog =>
  overriding(log, {
    async append(append) {
      pass('before', append);
      const appended = await log.append(append);
      pass('after', append);
      return appended;
    },
  });

for (const name of names) {
  const address = pathToFileURL(join(root, 'services', name, 'dist/module.js')).href;
  const { [name]: module } = (await import(address)) as Record<string, FusedModule>;
  if (!module) throw new Error(`${address} has no ${name}`);
  const start = module.start.bind(module);
  const isAhead = ahead?.services.includes(name) ?? false;
  const own = (ports: FusedPorts): Partial<FusedPorts> => ({
    ...(dies?.service === name ? { log: fusedLog(ports.log) } : {}),
    ...(isAhead ? { clock: { now: () => ports.clock.now() + (ahead?.by ?? 0) } } : {}),
  });
  Object.assign(module, { start: (ports: FusedPorts) => start({ ...ports, ...own(ports) }) });
}
