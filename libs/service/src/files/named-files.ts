import type { Call, Ports } from '@lyceum/web';
import { type NamedImage, imageNamed, isFileId } from '@lyceum/contracts';
import { Problem } from '@lyceum/web';
import { z } from 'zod';
import type { ModulePorts } from '../module.ts';
import { heads } from '../resource/access.ts';
import { type KnownFile, knownFile } from './known-files.ts';

/** A file that a request names: where in its body, and what files of the place are uploaded for. */
export interface NamedFile {
  readonly path: string;
  readonly file_id: string;
  readonly purposes: readonly string[];
}

type NamingPorts = Pick<Ports, 'documents'> & Partial<Pick<ModulePorts, 'ask'>>;
type Naming = Pick<Call, 'school' | 'principal' | 'issuer'>;

/** Ids that one question has at most. */
const atOnce = 100;

const answer = z.object({
  files: z.record(
    z.string(),
    z.object({
      state: z.enum(['announced', 'ready']),
      purpose: z.string(),
      access: z.enum(['public', 'private']),
      content_type: z.string(),
      size: z.int(),
      owner_id: z.string(),
    }),
  ),
});

/**
 * The files that a request names, in its order. Throws 409 `file_not_ready` for one that is still to come, and 422 for one that
 * is none of the school's, that was uploaded for something else or that, for lecturers, somebody else uploaded.
 */
export async function filesNamed(
  { school, principal }: Pick<Naming, 'school' | 'principal'>,
  ports: NamingPorts,
  named: readonly NamedFile[],
): Promise<readonly KnownFile[]> {
  const found = await asOfNow(school, ports, named);
  const isOwn = ({ owner_id }: KnownFile): boolean =>
    principal === undefined || heads.includes(principal.role) || owner_id === principal.subject;
  const details = named.flatMap(({ path, file_id, purposes }) => {
    const file = found.get(file_id);
    if (!file || !isOwn(file)) return { path, code: 'unknown_file', message: 'must name a file that was uploaded' };
    return purposes.includes(file.purpose)
      ? []
      : { path, code: 'wrong_purpose', message: `must name a file that was uploaded as ${purposes.join(' or ')}` };
  });
  if (details.length > 0) throw new Problem('validation_failed', 'A file is not acceptable', { details });
  const waiting = named
    .filter(({ file_id }) => found.get(file_id)?.state !== 'ready')
    .map(({ path }) => ({ path, code: 'file_not_ready', message: 'must be complete' }));
  if (waiting.length > 0) throw new Problem('file_not_ready', undefined, { details: waiting });
  return named.flatMap(({ file_id }) => found.get(file_id) ?? []);
}

/** The files by their ids. What is not known to be ready may have become so a moment ago: the media service is asked. */
async function asOfNow(
  school: string,
  { documents, ask }: NamingPorts,
  named: readonly NamedFile[],
): Promise<ReadonlyMap<string, KnownFile>> {
  const ids = [...new Set(named.map(({ file_id }) => file_id))].filter(isFileId);
  const known = await Promise.all(ids.map(async (id) => [id, await knownFile(documents, school, id)] as const));
  const found = new Map(known.flatMap(([id, file]) => (file ? [[id, file] as const] : [])));
  const unsure = ids.filter((id) => found.get(id)?.state !== 'ready');
  if (!ask) return found;
  for (let from = 0; from < unsure.length; from += atOnce) {
    const question = { kind: 'files', school, ids: unsure.slice(from, from + atOnce) };
    const { files } = answer.parse(await ask('media', question).catch(unavailable));
    for (const [id, file] of Object.entries(files)) found.set(id, file);
  }
  return found;
}

const unavailable = (cause: unknown): never => {
  throw new Problem('temporarily_unavailable', 'The file cannot be looked up now', { cause });
};

/**
 * What a client means by an image: a file of the school, which must be ready, or an address elsewhere. `known`: the file that
 * the thing names already, which may stay.
 */
export async function imageOf(
  call: Naming,
  ports: NamingPorts,
  text: string,
  { known, ...place }: Omit<NamedFile, 'file_id'> & { readonly known: string | null | undefined },
): Promise<NamedImage> {
  const image = imageNamed(text, call.issuer);
  if (!image) {
    const details = [{ path: place.path, code: 'invalid', message: 'must be an https URL' }];
    throw new Problem('validation_failed', 'An image is not acceptable', { details });
  }
  if ('file' in image && image.file !== known) await filesNamed(call, ports, [{ ...place, file_id: image.file }]);
  return image;
}
