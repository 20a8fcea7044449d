import type { Operation } from '@lyceum/web';
import type { Logger } from 'pino';
import type { Assembly, Erase } from './assembly.ts';
import { type Eraser, erasingOperations, startErasing } from '@lyceum/operations';
import type { AnyModule } from '@lyceum/service';
import type { OpenPorts } from '../engines/ports.ts';
import { holdsPersonalData } from '../engines/vaults.ts';

/** Erasure in all services of a process. */
export interface ErasingServices {
  /** For the operator. */
  readonly operations: readonly Operation[];
  /** For the service itself. */
  readonly erase: Erase;
  close(): Promise<void>;
}

/** Begins to carry out erasures in every service of the process that holds personal data. */
export async function eraseIn(
  modules: readonly AnyModule[],
  assembly: Assembly,
  open: OpenPorts,
  logger: Logger,
): Promise<ErasingServices> {
  const erasers: Eraser[] = [];
  const close = async () => void (await Promise.all(erasers.map((eraser) => eraser.close())));
  try {
    for (const module of modules.filter(holdsPersonalData)) {
      const { name, consumes: sources } = module;
      const ports = { ...open.of(name), channel: open.channel, logger: logger.child({ module: name }) };
      erasers.push(await startErasing(ports, { name, sources, started: assembly.module(name)! }));
    }
  } catch (error) {
    await close();
    throw error;
  }
  const vaults = modules.filter(({ stateless }) => !stateless).map(({ name }) => open.of(name).vault);
  const erase: Erase = async (service, ...whom) => {
    const eraser = erasers.find((each) => each.service === service);
    if (!eraser) throw new Error(`${service} holds no personal data`);
    await eraser.erase(...whom);
  };
  return { erase, operations: vaults.length > 0 ? erasingOperations(erasers, vaults) : [], close };
}
