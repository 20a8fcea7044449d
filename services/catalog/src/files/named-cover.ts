import { imageOf } from '@lyceum/service';
import type { Cover, Covered } from '../values/covers.ts';

type Naming = Parameters<typeof imageOf>;

/** The cover that a client names, as it is kept; nothing of it when nothing is said. Throws when it is no image of the school. */
export async function coverNamed(
  call: Naming[0],
  ports: Naming[1],
  { cover: said }: { readonly cover?: string | null | undefined },
  known?: Covered,
): Promise<Cover> {
  if (said === undefined) return {};
  if (said === null) return { cover: null, cover_file: null };
  const place = { path: 'cover', purposes: ['cover'], known: known?.cover_file };
  const image = await imageOf(call, ports, said, place);
  return 'file' in image ? { cover: null, cover_file: image.file } : { cover: image.url, cover_file: null };
}
