import { codeOf } from '@lyceum/kernel';
import { access, constants } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Why a folder cannot be written to or made, in words; undefined when it can. Changes nothing. */
export async function unwritableFor(folder: string): Promise<string | undefined> {
  try {
    await access(folder, constants.W_OK);
    return undefined;
  } catch (error) {
    const parent = dirname(folder);
    if (codeOf(error) !== 'ENOENT' || parent === folder) return `${folder} is not writable`;
    return unwritableFor(parent);
  }
}
