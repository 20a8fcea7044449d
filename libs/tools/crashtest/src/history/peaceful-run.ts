import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@lyceum/kernel';
import { call, callers } from '../callers/callers.ts';
import { checkHistory } from './check-history.ts';
import { type History, readHistory } from './history.ts';
import type { Faults } from './lane-history.ts';
import { type MiniService, startMiniService } from '../service/mini-service.ts';
import { type Acknowledged, lineOf } from '../callers/request.ts';
import { type Seams, seamless } from '../service/seams.ts';

/** The seed of its requests. */
export const peacefulSeed = 'peaceful';

/** The services of one folder inside this process, whose ports may be faulty. */
export class PeacefulRun {
  readonly service: MiniService;
  readonly #folder: string;
  readonly #acknowledged: Acknowledged[] = [];

  /** Starts on a folder: a new one, or one of an earlier run. */
  static async on(folder: string, seams: Partial<Seams> = {}): Promise<PeacefulRun> {
    await writeFile(`${folder}.acknowledged`, '', { flag: 'a' });
    return new PeacefulRun(folder, await startMiniService(join(folder), { ...seamless, ...seams }));
  }

  constructor(folder: string, service: MiniService) {
    this.#folder = folder;
    this.service = service;
  }

  /** Lets every caller make so many requests more, one after another. */
  async calls(count: number, clock?: Clock): Promise<void> {
    const before = this.#acknowledged.length / callers;
    await Promise.all(
      Array.from({ length: callers }, (_, caller) =>
        call(
          this.service.log,
          { seed: peacefulSeed, caller, answered: before, until: before + count, ...(clock && { clock }) },
          (answer) => this.#acknowledged.push(answer),
        ),
      ),
    );
  }

  /** Lets everything go all its ways, ends, and checks what the folder holds. */
  async end(): Promise<{ readonly history: History; readonly faults: Faults }> {
    await this.service.caughtUp();
    await this.service.close();
    const file = `${this.#folder}.acknowledged`;
    await appendFile(file, this.#acknowledged.map(lineOf).join(''));
    const history = await readHistory(this.#folder, file);
    return { history, faults: checkHistory(history, peacefulSeed, true) };
  }
}
