import { isLongRun } from '@lyceum/testkit';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Installation, Ran } from './installation.ts';

/** The root of the repository. */
export const root = join(import.meta.dirname, '../../../../..');

/** A page of the documentation, of which the commands are run: the `sh` blocks below each heading of the second level. */
export class Page {
  readonly text: string;
  readonly #blocks: ReadonlyMap<string, readonly string[]>;
  readonly #left: Set<string>;

  constructor(text: string) {
    this.text = text;
    const sections = text.split(/^## /m).slice(1);
    const found = sections.map((section): [string, string[]] => [
      section.slice(0, section.indexOf('\n')).trim(),
      [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block!),
    ]);
    this.#blocks = new Map(found.filter(([, blocks]) => blocks.length > 0));
    this.#left = new Set(this.#blocks.keys());
  }

  /** All commands of the page, in order. */
  get script(): string {
    return [...this.#blocks.values()].flat().join('\n');
  }

  /** The headings whose commands have not been run. */
  get left(): readonly string[] {
    return [...this.#left];
  }

  blocksOf(heading: string): readonly string[] {
    const blocks = this.#blocks.get(heading);
    if (!blocks) throw new Error(`no commands below "${heading}"; there are ${[...this.#blocks.keys()].join(', ')}`);
    return blocks;
  }

  /** Runs what stands below a heading. Throws when a command fails. */
  async run(heading: string, machine: Installation, more: Readonly<Record<string, string>> = {}): Promise<Ran> {
    const began = Date.now();
    const ran = await machine.run(this.blocksOf(heading).join('\n'), more);
    this.#left.delete(heading);
    if (isLongRun) process.stdout.write(`"${heading}" took ${Date.now() - began} ms\n`);
    if (ran.status === 0) return ran;
    throw new Error(`"${heading}" ended with ${ran.status}:\n${ran.told}\n${ran.printed}`);
  }
}

/** A page of `docs`, by its path there without the extension. */
export const docs = async (name: string): Promise<Page> =>
  new Page(await readFile(join(root, `docs/${name}.md`), 'utf8'));
