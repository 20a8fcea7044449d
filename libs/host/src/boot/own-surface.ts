import { catalogueOf } from '@lyceum/eventlog';
import type { Operation } from '@lyceum/web';
import type { Logger } from 'pino';
import type { Assembly } from './assembly.ts';
import { factsOverHttp } from '@lyceum/internal-api';
import {
  type Movers,
  type NamedLog,
  type ReachableEngine,
  type ServiceProcess,
  type Watched,
  FactLag,
  backupOperation,
  checkLogOperation,
  lookingOperations,
  mendingOperations,
  metricsOperation,
  movingOperations,
  observeEngines,
  observeKeys,
  observeLag,
  observeStuck,
  observeTracing,
  redrivingMany,
  releasingMail,
  stuckOperations,
  withheldOperation,
} from '@lyceum/operations';
import type { AnyModule } from '@lyceum/service';
import type { OpenPorts } from '../engines/ports.ts';
import { reachableEngines } from '../engines/reachable-engines.ts';

/** What the operations of a process are about. */
export interface Surroundings {
  readonly modules: readonly AnyModule[];
  readonly assembly: Assembly;
  readonly open: OpenPorts;
  /** Whether the process is ready to serve. */
  readonly isReady: () => boolean;
  readonly logger: Logger;
}

/** The operations of a process: those that show and mend what keeps a start waiting, and those that wait for its end. */
export interface OwnSurface {
  readonly meanwhile: readonly Operation[];
  readonly later: readonly Operation[];
}

/**
 * The operations that belong to the process rather than to a service: they answer for all services of this process, and
 * for no other. In a split system every process is asked.
 */
export function ownSurface(surroundings: Surroundings): OwnSurface {
  const { assembly, open, isReady, logger } = surroundings;
  const watched = watchedOf(surroundings);
  const { metrics, files, watch } = open.instruments;
  for (const { service } of logsOf(surroundings))
    for (const name of ['log_faults', 'unknown_event', 'withheld_facts', 'disk_full']) watch.expect(service, name);
  metrics.observeProcess();
  const ready = metrics.gauge('lyceum_ready', '1 while the process is ready to serve', []);
  // Before alarms are read: this one is among them from the first time on.
  metrics.beforeReading(() => {
    ready.set(isReady() ? 1 : 0);
    watch.alarm('mail', 'mail_withheld', open.mail.withheldSince() === undefined ? 0 : 1);
  });
  observeLag(metrics, watched);
  observeKeys(metrics, watch, open.clock);
  observeStuck(metrics, processesOf(surroundings));
  observeEngines(metrics, enginesOf(surroundings));
  observeTracing(metrics, open.tracing);
  const failed = (err: unknown, service: string, collection: string) =>
    logger.error({ err, service, collection }, 'a rebuild failed');
  const meanwhile = [
    metricsOperation(metrics),
    ...lookingOperations(watched),
    redrivingMany(watched),
    ...mendingOperations(watched, failed),
    ...releasingMail(open.mail),
    ...stuckOperations(processesOf(surroundings)),
    withheldOperation(open.instruments.watch),
  ];
  const later = [
    ...movingOperations(moversOf(surroundings)),
    checkLogOperation(logsOf(surroundings), open.instruments.watch),
    ...(files.logs.length > 0 ? [backupOperation({ files, of: open.of, settings: assembly.settings })] : []),
  ];
  return { meanwhile, later };
}

const logsOf = ({ modules, open }: Surroundings): readonly NamedLog[] =>
  modules.filter(({ stateless }) => !stateless).map(({ name }) => ({ service: name, log: open.of(name).stored }));

/** The engines of this process: one that keeps nothing has no database. */
function enginesOf({ modules, assembly, open }: Surroundings): readonly ReachableEngine[] {
  const names = modules.map(({ name }) => name);
  const asking = { clientId: names.join('.'), ephemeral: open.of(names[0]!).ephemeral };
  const keepsNothing = modules.every(({ stateless }) => stateless);
  return reachableEngines(assembly.settings, asking).filter(({ system }) => !(keepsNothing && system === 'mongodb'));
}

function watchedOf({ modules, assembly, open }: Surroundings): Watched {
  const services = modules
    .filter(({ stateless }) => !stateless)
    .map(({ name }) => ({
      name,
      log: open.of(name).log,
      readModels: () => assembly.module(name)?.readModels ?? [],
    }));
  const facts = new FactLag(async (source) => {
    const owner = open.peer(source);
    return open.history(source) ?? (owner && factsOverHttp(owner));
  });
  return { services, watch: open.instruments.watch, facts, clock: open.clock };
}

const moversOf = ({ modules, assembly, open }: Surroundings): Movers => ({
  dataDir: assembly.settings.DATA_DIR,
  services: modules
    .filter(({ stateless }) => !stateless)
    .map(({ name, events = [] }) => ({
      name,
      ...open.of(name),
      catalogue: catalogueOf(events),
      moving: assembly.module(name)?.moving ?? {},
      arrivable: assembly.module(name)?.arrivable ?? { aggregates: [] },
    })),
});

const processesOf =
  ({ modules, assembly }: Surroundings) =>
  (): readonly ServiceProcess[] =>
    modules.flatMap(({ name: service }) =>
      (assembly.module(service)?.processes ?? []).map((process) => ({ service, process })),
    );
