/** A test, by its file (from the root of the repository) and its title. */
export interface Witness {
  readonly file: string;
  readonly title: string;
}

/** Tests of a folder, each by its file without `.test.ts` and the beginning, or a part, of its title. */
export const tests =
  (folder: string) =>
  (file: string, title: string): Witness => ({ file: `${folder}/${file}.test.ts`, title });
