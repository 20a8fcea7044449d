import { setTimeout as delay } from 'node:timers/promises';
import type { Meta } from '@lyceum/kernel';
import type { Logger } from 'pino';
import {
  type Handler,
  type IsAway,
  serviceQueryClient,
  factHistory,
  factsOverHttp,
  followTrust,
  localUpstream,
  trustSourcesOf,
} from '@lyceum/internal-api';
import { meteredLogger } from '@lyceum/operations';
import type { AnyModule, ModulePorts, ServiceRole, Started } from '@lyceum/service';
import type { OpenPorts } from '../engines/ports.ts';
import { prefixRouter } from '../http/routing.ts';
import type { SettingsRead } from '../settings/environment.ts';
import { answerError } from '@lyceum/web';
import { scheduledBySchool } from '../http/schedule-by-school.ts';

/** The started modules of a process. */
export interface Assembly {
  readonly settings: SettingsRead['settings'];
  /** A started module by name; undefined when it is not part of this process. */
  module(name: string): Started | undefined;
  /** Resolves when every module, and the trust they share, knows everything that has been written in this process. */
  settle(): Promise<void>;
  /** Resolves when what services in other processes tell is known too: of those that answer, and soon in any case. */
  hearOthers(): Promise<void>;
  /** What the public listener serves: the gateway when there is one, else the modules by their routes. */
  readonly app: Handler;
  /** Stops the modules, latest first; the ports stay open. */
  close(): Promise<void>;
}

/**
 * Milliseconds that readiness waits, at most, for what services in other processes tell. Who does not answer is not waited
 * for. Short, it sends requests to a process that knows nobody yet; Kafka may be away for long.
 */
const neighbourly = 20_000;

/** Erases a person from a service, and with it from all. */
export type Erase = (service: string, school: string, subject: string, meta: Meta) => Promise<void>;

/** Starts all modules side by side. When one fails, those that started are closed and its error is thrown. */
export async function assemble(
  modules: readonly AnyModule[],
  settings: SettingsRead['settings'],
  open: OpenPorts,
  logger: Logger,
  erase: Erase,
): Promise<Assembly> {
  const started = new Map<string, Started>();
  const names = modules.map((module) => module.name);
  const requestId = () => open.ids.next('req');
  const roles: ReadonlySet<ServiceRole> = new Set(settings.ROLE);
  const keeping = modules.find(({ stateless }) => !stateless);
  const keptDocuments = keeping && open.of(keeping.name).documents;
  const trust = followTrust(
    {
      channel: open.channel,
      clock: open.clock,
      documents: keptDocuments,
      onError: (err) => logger.error({ err }, 'what is known of tokens could not be kept; it is tried again'),
    },
    roles.has('http') ? trustSourcesOf(modules) : [],
  );
  const upstream = (name: string) => {
    if (!names.includes(name)) throw new Error(`there is no module ${name} in this process`);
    const report = (err: unknown) => logger.error({ err, module: name }, 'a module threw');
    return localUpstream(name, () => started.get(name), { requestId, report });
  };
  const history: ModulePorts['history'] = (source) => {
    const owner = open.peer(source);
    if (!owner && !names.includes(source)) return undefined;
    const far = owner && (() => factsOverHttp(owner));
    return factHistory(source, open.channel, far ?? (() => Promise.resolve(open.history(source))));
  };
  const ask = serviceQueryClient((name) => started.get(name), open.peer);
  const portsOf = (name: string): ModulePorts => ({
    ...open.of(name),
    settings,
    channel: open.channel,
    mail: open.mail,
    trust: trust.trust,
    keptDocuments,
    isTrustKnown: () => trust.isKnown,
    cursorSecret: open.cursorSecret,
    logger: meteredLogger(logger.child({ service: name }), name, open.instruments.metrics),
    watch: open.instruments.watch,
    upstream,
    peer: open.peer,
    history,
    ask,
    erase: (...whom) => erase(name, ...whom),
    roles,
    tracer: open.tracing?.tracer,
  });
  const close = async () => {
    for (const each of [...started.values()].reverse()) await each.close();
    await trust.close();
  };
  const outcomes = await Promise.allSettled(
    modules.map(async (module) =>
      started.set(module.name, await module.start(portsOf(module.name) as ModulePorts<never>)),
    ),
  );
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) {
    await close();
    throw failed.reason;
  }
  const isElsewhere: IsAway = (service) => !names.includes(service);
  const all = async (isLeftOut: IsAway) => {
    await Promise.all([...started.values()].map((each) => each.ready?.(isLeftOut)));
    await trust.caughtUp(isLeftOut);
  };
  return {
    settings,
    module: (name) => started.get(name),
    async settle() {
      // Two rounds: what a module writes when it learns of something is news to the others.
      for (let round = 0; round < 2; round += 1) await all(isElsewhere);
    },
    async hearOthers() {
      const others = new Set(modules.flatMap(({ consumes }) => consumes.filter(isElsewhere)));
      if (others.size === 0) return;
      const heard = servicesAway([...others], open)
        .then((away) => all((service) => away.has(service)))
        .catch((err: unknown) => logger.debug({ err }, 'what other services tell is not known'));
      await Promise.race([heard, delay(neighbourly, undefined, { ref: false })]);
    },
    app: roles.has('http') ? publicApp(modules, started, requestId) : noApp(requestId),
    close,
  };
}

/** Those of the services in other processes that do not answer now. */
async function servicesAway(services: readonly string[], { peer }: OpenPorts): Promise<ReadonlySet<string>> {
  const away = new Set<string>();
  const ask = async (service: string) => {
    const owner = peer(service);
    const answers = owner !== undefined && (await factsOverHttp(owner).then(yes, no));
    if (!answers) away.add(service);
  };
  await Promise.all(services.map(ask));
  return away;
}

const [yes, no] = [() => true, () => false];

function publicApp(
  modules: readonly AnyModule[],
  started: ReadonlyMap<string, Started>,
  requestId: () => string,
): Handler {
  const edge = modules.find(({ forwards }) => forwards !== undefined);
  if (edge) return started.get(edge.name)!.app;
  const route = prefixRouter(
    modules.map(({ name, routes }) => ({ prefixes: routes, handler: started.get(name)!.app })),
  );
  return scheduledBySchool((request, response) => {
    const app = route(request.url ?? '/');
    return app ? app(request, response) : answerError(response, 'not_found', requestId());
  }, requestId);
}

/** A process that only works behind the scenes. */
const noApp =
  (requestId: () => string): Handler =>
  (_request, response) =>
    answerError(response, 'not_found', requestId());
