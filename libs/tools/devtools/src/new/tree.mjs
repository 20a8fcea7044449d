import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { format, getFileInfo, resolveConfig } from 'prettier';
import { Refused } from './names.mjs';

/** The files of the repository with changes that are not written yet: all of them are written, or none. */
export class Tree {
  #root;
  #changed = new Map();

  constructor(root) {
    this.#root = root;
  }

  has(path) {
    return this.#changed.has(path) || existsSync(join(this.#root, path));
  }

  read(path) {
    if (!this.has(path)) throw new Refused(`there is no ${path}`);
    return this.#changed.get(path) ?? readFileSync(join(this.#root, path), 'utf8');
  }

  /** A new file. */
  create(path, text) {
    if (this.has(path)) throw new Refused(`${path} exists already`);
    this.#changed.set(path, text);
  }

  /** Changes a file; `edit` gives undefined where it does not find its place. */
  edit(path, edit) {
    const text = edit(this.read(path));
    if (text === undefined) throw new Refused(`${path} has no place that this program knows for the new entry`);
    this.#changed.set(path, text);
  }

  editJson(path, edit) {
    this.edit(path, (text) => {
      const value = JSON.parse(text);
      edit(value);
      return `${JSON.stringify(value, null, 2)}\n`;
    });
  }

  /** The text as `npm run format` leaves it: what .prettierignore names is not touched. */
  async #formatted(path, text) {
    const { ignored } = await getFileInfo(join(this.#root, path), { ignorePath: join(this.#root, '.prettierignore') });
    if (ignored) return text;
    return format(text, { ...(await resolveConfig(join(this.#root, path))), filepath: path });
  }

  /** Formats and writes everything. Resolves to the new files with their number of lines. */
  async write() {
    const formatted = [];
    for (const [path, text] of this.#changed) formatted.push([path, await this.#formatted(path, text)]);
    const before = new Map();
    try {
      for (const [path, text] of formatted) {
        const file = join(this.#root, path);
        before.set(file, existsSync(file) ? readFileSync(file, 'utf8') : undefined);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, text);
      }
    } catch (error) {
      for (const [file, text] of before)
        if (text === undefined) rmSync(file, { force: true });
        else writeFileSync(file, text);
      throw error;
    }
    const files = formatted.map(([path, text]) => ({ path, lines: text.split('\n').length - 1 }));
    return files.map((each) => ({ ...each, isNew: before.get(join(this.#root, each.path)) === undefined }));
  }
}
