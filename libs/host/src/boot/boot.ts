import { join } from 'node:path';
import { Gap } from '@lyceum/eventlog';
import type { Logger } from 'pino';
import { type Assembly, type Erase, assemble } from './assembly.ts';
import { type BackgroundWork, inBackground } from './background-work.ts';
import { usesServers } from '../settings/engine-settings.ts';
import type { SettingsRead } from '../settings/environment.ts';
import { type ReadinessGate, readinessGate } from '../http/readiness-gate.ts';
import { incompleteLog } from './incomplete-log.ts';
import { keepSecret } from '../settings/kept-secret.ts';
import { type Listener, listen } from '../http/listener.ts';
import { type OperatorSurface, type Tracing, meteredLogger, operatorApp, sampleLogs } from '@lyceum/operations';
import type { AnyModule } from '@lyceum/service';
import { behind, internalApi, serviceQueryServer } from '@lyceum/internal-api';
import { type OwnSurface, ownSurface } from './own-surface.ts';
import { type ErasingServices, eraseIn } from './erasing-services.ts';
import { type OpenPorts, openPorts } from '../engines/ports.ts';
import { tracingOf } from '../settings/tracing.ts';
import { goneOnWith, untilEnginesAnswer, untilSettled } from './starting.ts';

/** Work on the started modules before anything is served, e.g. the demo. */
export type Preparation = (assembly: Assembly) => Promise<Prepared>;

/** What came of a preparation. */
export interface Prepared {
  /** Lines for a person at a terminal. */
  readonly notes: readonly string[];
  /** What is done while the process serves already. */
  readonly meanwhile?: BackgroundWork | undefined;
}

/** A process that serves. */
export interface Running {
  readonly gate: ReadinessGate;
  readonly listeners: readonly Listener[];
  /** Lines that the preparation has for a person. */
  readonly notes: readonly string[];
  /** Since when no mail is sent, in a restored system. */
  readonly mailWithheldSince?: string | undefined;
  /** Closes modules and engines; the listeners are closed before. */
  close(): Promise<void>;
}

/** The inside of a process: engines and modules, ready to serve. */
interface Inside {
  readonly open: OpenPorts;
  readonly assembly: Assembly;
  readonly erasing: ErasingServices;
  readonly prepared: Prepared | undefined;
}

/** What of the inside is there already, for other processes that ask for facts while this one starts. */
type Emerging = Partial<Pick<Inside, 'open' | 'assembly'>>;

/**
 * Starts a process: listeners first (so a taken port is found before any data is touched; they answer health questions
 * only), then engines, modules, what they must know, the preparation, and last the gates open. Engines of a cluster that
 * do not answer are waited for. On any other failure everything opened is closed again.
 */
export async function boot(
  modules: readonly AnyModule[],
  settings: SettingsRead['settings'],
  logger: Logger,
  prepare?: Preparation,
): Promise<Running> {
  const requestId = () => crypto.randomUUID();
  const [front, back] = [readinessGate(requestId), readinessGate(requestId)];
  const emerging: { -readonly [K in keyof Emerging]: Emerging[K] } = {};
  const listeners: Listener[] = [];
  const tracing = await tracingOf(modules, settings, logger);
  const answer = behindInternalApi(front, modules, settings, { emerging, tracing }, logger);
  try {
    const { HOST, PORT, OPERATOR_HOST, OPERATOR_PORT } = settings;
    const failed = (err: unknown) => logger.error({ err }, 'a request could not be answered');
    listeners.push(await listen(answer, { host: HOST, port: PORT, setting: 'PORT', failed }));
    const operators = { host: OPERATOR_HOST, port: OPERATOR_PORT, setting: 'OPERATOR_PORT', failed };
    listeners.push(await listen(back.handle, operators));
    let own!: OwnSurface;
    const assembled = async (assembly: Assembly, open: OpenPorts) => {
      own = ownSurface({ modules, assembly, open, isReady: () => front.phase === 'ready', logger });
      back.serveMeanwhile(await operatorOf(modules, { assembly, open }, own, logger));
    };
    const inside = () =>
      begin(modules, settings, logger, emerging, { prepare, assembled, tracing }).catch((error: unknown) => {
        back.serveMeanwhile();
        throw error;
      });
    const { open, assembly, erasing, prepared } = await untilEnginesAnswer(inside, usesServers(settings), logger);
    back.open(await operatorOf(modules, { assembly, open, erasing }, own, logger));
    front.open(assembly.app);
    const background = inBackground(prepared?.meanwhile, logger);
    return {
      gate: front,
      listeners,
      notes: prepared?.notes ?? [],
      mailWithheldSince: open.mail.withheldSince(),
      close: () =>
        background
          .close()
          .then(() => erasing.close())
          .then(() => assembly.close())
          .then(() => open.close())
          .finally(() => tracing?.close()),
    };
  } catch (error) {
    for (const each of listeners) await each.close(0);
    await tracing?.close();
    throw error;
  }
}

/** One try to open the engines and to start the modules; what a failed one opened is closed again. */
async function begin(
  modules: readonly AnyModule[],
  settings: SettingsRead['settings'],
  logger: Logger,
  emerging: { -readonly [K in keyof Emerging]: Emerging[K] },
  {
    prepare,
    assembled,
    tracing,
  }: {
    readonly prepare: Preparation | undefined;
    /** Called before anything is waited for, so that operators can see and mend what keeps a start waiting. */
    assembled(assembly: Assembly, open: OpenPorts): Promise<void>;
    readonly tracing: Tracing | undefined;
  },
): Promise<Inside> {
  const undo: (() => Promise<unknown>)[] = [];
  const waits = usesServers(settings);
  try {
    const open = (emerging.open = await openPorts(modules, settings, logger, tracing));
    undo.push(() => open.close());
    let erasing: ErasingServices | undefined;
    const erase: Erase = async (...whom) => {
      if (!erasing) throw new Error('no person can be erased while the process starts');
      await erasing.erase(...whom);
    };
    const assembly = (emerging.assembly = await assemble(modules, settings, open, logger, erase));
    undo.push(() => assembly.close());
    await assembled(assembly, open);
    await untilSettled(() => assembly.settle(), {
      waits,
      refused: (gap) => incompleteLog(gap, modules, open),
      logger,
    });
    const logs = modules
      .filter(({ stateless }) => !stateless)
      .map(({ name }) => ({ service: name, log: open.of(name).stored }));
    void sampleLogs(logs, open.instruments.watch, logger);
    const begun = (erasing = await eraseIn(modules, assembly, open, logger));
    undo.push(() => begun.close());
    const [prepared] = await Promise.all([prepare?.(assembly), assembly.hearOthers()]);
    return { open, assembly, erasing: begun, prepared };
  } catch (error) {
    const { open } = emerging;
    const reason = open && error instanceof Gap ? goneOnWith(error, incompleteLog(error, modules, open), waits) : error;
    delete emerging.open;
    delete emerging.assembly;
    for (const step of undo.reverse()) await step().catch((err: unknown) => logger.error({ err }, 'closing failed'));
    throw reason;
  }
}

/** Health first, then the questions of other processes, where there may be any, then the application. */
function behindInternalApi(
  front: ReadinessGate,
  modules: readonly AnyModule[],
  { SERVICE_TOKEN, HISTORY_TOKENS }: SettingsRead['settings'],
  { emerging, tracing }: { readonly emerging: Emerging; readonly tracing: Tracing | undefined },
  logger: Logger,
): ReadinessGate['handle'] {
  if (SERVICE_TOKEN === undefined && HISTORY_TOKENS === undefined) return front.handle;
  const requestId = () => crypto.randomUUID();
  const heard = new Set<string>();
  const neighbours = internalApi({
    token: SERVICE_TOKEN,
    readers: HISTORY_TOKENS ?? [],
    onReader(reader) {
      if (!heard.has(reader)) logger.info({ reader }, 'a reader of histories asks for the first time since the start');
      heard.add(reader);
    },
    isEdge: modules.some(({ forwards }) => forwards !== undefined),
    requestId,
    report: (err) => logger.error({ err }, 'facts could not be given'),
    history: (source) => emerging.open?.history(source),
    openapi: (service) => emerging.assembly?.module(service)?.openapi,
  });
  const guarded = behind(neighbours, front.handle);
  const questions =
    SERVICE_TOKEN === undefined
      ? () => false
      : serviceQueryServer({
          token: SERVICE_TOKEN,
          service: (name) => emerging.assembly?.module(name),
          requestId,
          report: (err) => logger.error({ err }, 'a question could not be answered'),
          tracer: tracing?.tracer,
        });
  const application = behind(questions, guarded);
  return (request, response) => {
    if (!front.health(request, response)) return application(request, response);
  };
}

/**
 * All that operators may do here: what the services offer, what concerns people and keys, and the process itself. While
 * the process starts, before `erasing` is there, they look and mend.
 */
async function operatorOf(
  modules: readonly AnyModule[],
  { assembly, open, erasing }: Pick<Inside, 'assembly' | 'open'> & Partial<Pick<Inside, 'erasing'>>,
  own: OwnSurface,
  logger: Logger,
) {
  const { OPERATOR_TOKEN, DATA_DIR } = assembly.settings;
  const token = OPERATOR_TOKEN ?? (await keepSecret(join(DATA_DIR, 'operator-token'), () => open.ids.secret()));
  const surfaces = modules.map(({ name }, index): OperatorSurface => {
    const operations = erasing ? (assembly.module(name)?.internal ?? []) : [];
    const process = [...own.meanwhile, ...(erasing ? [...own.later, ...erasing.operations] : [])];
    const all = index === 0 ? [...process, ...operations] : operations;
    return { service: name, operations: all, ports: open.of(name) };
  });
  return operatorApp({
    token,
    surfaces,
    cursorSecret: open.cursorSecret,
    logger: meteredLogger(logger, 'operator', open.instruments.metrics),
    requestId: () => open.ids.next('req'),
  });
}
