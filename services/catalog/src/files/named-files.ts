import { type NamedFile, filesNamed } from '@lyceum/service';
import { Problem } from '@lyceum/web';
import type { z } from 'zod';
import type { KeptFile, fileInput } from '../values/files.ts';

type Naming = Parameters<typeof filesNamed>;

/**
 * Files that a client names, as they are kept: of the size and the type that the media service knows. `known`: those that the
 * thing names already, which may stay, also where they were named before there were uploads. Throws what `filesNamed` throws.
 */
export async function filesKept(
  call: Naming[0],
  ports: Naming[1],
  named: readonly (Omit<NamedFile, 'file_id'> & { readonly file: z.output<typeof fileInput> })[],
  known: readonly KeptFile[],
): Promise<readonly KeptFile[]> {
  const before = new Map(known.map((each) => [each.file_id, each]));
  const wanted = named
    .filter(({ file: { file_id } }) => !before.has(file_id))
    .map(({ file: { file_id }, ...place }) => ({ ...place, file_id }));
  const found = await filesNamed(call, ports, wanted);
  const ready = new Map(wanted.map(({ file_id }, index) => [file_id, found[index]]));
  return named.map(({ file: { file_id, name } }) => {
    const kept = before.get(file_id);
    const { size, content_type: type } = ready.get(file_id) ?? { size: kept?.size, content_type: kept?.type };
    if (size === undefined || type === undefined) throw new Problem('server_error');
    return { file_id, name, size, type };
  });
}
