import { join } from 'node:path';
import type { Logger } from 'pino';
import { type Assembly, assemble } from './assembly.ts';
import type { SettingsRead } from './environment.ts';
import { type Door, door } from './health.ts';
import { keepSecret } from './kept-secret.ts';
import { type Listener, listen } from './listener.ts';
import type { AnyModule } from './module.ts';
import { type OperatorSurface, operatorApp } from './operator.ts';
import { type OpenPorts, openPorts } from './ports.ts';

/** Work on the started modules before anything is served, e.g. the demo. Resolves to lines for a person at a terminal. */
export type Preparation = (assembly: Assembly) => Promise<readonly string[]>;

/** A process that serves. */
export interface Running {
  readonly door: Door;
  readonly listeners: readonly Listener[];
  /** Lines that the preparation has for a person. */
  readonly notes: readonly string[];
  /** Closes modules and engines; the listeners are closed before. */
  close(): Promise<void>;
}

/**
 * Starts a process: listeners first (so a taken port is found before any data is touched; they answer health questions
 * only), then engines, modules, what they must know, the preparation, and last the door opens. On failure everything
 * opened is closed again.
 */
export async function boot(
  modules: readonly AnyModule[],
  settings: SettingsRead['settings'],
  logger: Logger,
  prepare?: Preparation,
): Promise<Running> {
  const undo: (() => Promise<unknown>)[] = [];
  const requestId = () => crypto.randomUUID();
  const [front, back] = [door(requestId), door(requestId)];
  try {
    const listeners = [await listen(front.handle, { host: settings.HOST, port: settings.PORT, setting: 'PORT' })];
    undo.push(() => listeners[0]!.close(0));
    listeners.push(
      await listen(back.handle, {
        host: settings.OPERATOR_HOST,
        port: settings.OPERATOR_PORT,
        setting: 'OPERATOR_PORT',
      }),
    );
    undo.push(() => listeners[1]!.close(0));
    const open = await openPorts(modules, settings.DATA_DIR, logger);
    undo.push(() => open.close());
    const assembly = await assemble(modules, settings, open, logger);
    undo.push(() => assembly.close());
    await assembly.settle();
    const notes = (await prepare?.(assembly)) ?? [];
    back.open(await operatorOf(modules, assembly, open, logger));
    front.open(assembly.app);
    return { door: front, listeners, notes, close: () => assembly.close().then(() => open.close()) };
  } catch (error) {
    for (const step of undo.reverse()) await step().catch((err: unknown) => logger.error({ err }, 'closing failed'));
    throw error;
  }
}

async function operatorOf(modules: readonly AnyModule[], assembly: Assembly, open: OpenPorts, logger: Logger) {
  const { OPERATOR_TOKEN, DATA_DIR } = assembly.settings;
  const token = OPERATOR_TOKEN ?? (await keepSecret(join(DATA_DIR, 'operator-token'), () => open.ids.secret()));
  const surfaces = modules.flatMap(({ name }): OperatorSurface[] => {
    const operations = assembly.module(name)?.internal ?? [];
    return operations.length > 0 ? [{ service: name, operations, ports: open.of(name) }] : [];
  });
  return operatorApp({
    token,
    surfaces,
    cursorSecret: open.cursorSecret,
    logger,
    requestId: () => open.ids.next('req'),
  });
}
