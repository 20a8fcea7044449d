import { type FactOf, type FactSource } from '@lyceum/contracts';
import { execute, fold } from '@lyceum/eventlog';
import { isRejection, isoTime, uuidv5 } from '@lyceum/kernel';
import type { KnownFile, Reaction } from '@lyceum/service';
import { z } from 'zod';
import type { MediaPorts } from '../ports/media-ports.ts';
import type { MediaSettings } from '../ports/media-settings.ts';
import { holdsQuota } from '../uploads/upload.state.ts';
import { uploadDecider } from '../uploads/upload.ts';

/** The services whose things name files. */
const holding = ['catalog', 'school', 'content'] as const satisfies readonly FactSource[];

type Reference = Extract<FactOf<'catalog'>, { type: 'FileReferenced' | 'FileReleased' }>;

/** Notes with each file what names it. */
export const notingReferences: readonly Reaction<MediaSettings>[] = holding.map((source) => ({
  name: `noting-references-of-${source}`,
  source,
  events: ['FileReferenced', 'FileReleased'] satisfies Reference['type'][],
  async perform({ tenant, stream, version, type, data }, { log, clock }) {
    const { file_id: id, holder_id: holder } = data as Reference['data'];
    const done = await execute(log, uploadDecider, {
      tenant,
      stream: id,
      command: { type: type === 'FileReferenced' ? 'AddReference' : 'RemoveReference', id, holder },
      // Days count from when it is noted: the news may be old.
      at: isoTime(clock.now()),
      meta: { actor: 'system' },
      commitId: uuidv5('file-reference', source, tenant, stream, String(version), type, holder, id),
    });
    if (isRejection(done)) throw new Error(done.reason);
  },
}));

const answer = z.object({ held: z.array(z.string()) });

/** Ids that one question has at most. */
const atOnce = 200;

/**
 * Those of some files that things of other services name, as those services know it: what `notingReferences` has noted may be
 * older. Throws when one of them cannot be asked.
 */
export async function heldElsewhere(
  { ask }: Pick<MediaPorts, 'ask'>,
  school: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (!ask) throw new Error('no other service can be asked');
  const held = new Set<string>();
  for (let from = 0; from < ids.length; from += atOnce) {
    const question = { kind: 'held-files', school, ids: ids.slice(from, from + atOnce) };
    const answers = await Promise.all(holding.map((service) => ask(service, question)));
    for (const each of answers) for (const id of answer.parse(each).held) held.add(id);
  }
  return held;
}

const asked = z.object({ school: z.string(), ids: z.array(z.string()).max(100) });

/** Files by their ids, as of now: for services whose things name them. Without those that are no more. */
export async function answerFiles(question: unknown, { log }: Pick<MediaPorts, 'log'>) {
  const { school, ids } = asked.parse(question);
  const found = await Promise.all(ids.map(async (id) => [id, await fileNow(log, school, id)] as const));
  return { files: Object.fromEntries(found.filter(([, file]) => file !== undefined)) };
}

async function fileNow(log: MediaPorts['log'], school: string, id: string): Promise<KnownFile | undefined> {
  const { state: upload } = await fold(log, uploadDecider, school, id);
  if (!upload || !holdsQuota(upload)) return undefined;
  const { purpose, access, content_type, size, created_by: owner_id, state } = upload;
  return { state: state === 'ready' ? 'ready' : 'announced', purpose, access, content_type, size, owner_id };
}
