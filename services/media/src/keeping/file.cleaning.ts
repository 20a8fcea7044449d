import { execute, fold } from '@lyceum/eventlog';
import { isoTime, uuidv5 } from '@lyceum/kernel';
import { type BackgroundJob, type Reaction, forEachTenant, inRounds } from '@lyceum/service';
import { type MediaPorts, type MediaServicePorts, storeOf } from '../ports/media-ports.ts';
import type { MediaSettings } from '../ports/media-settings.ts';
import { discarding } from '../uploads/upload.events.ts';
import { heldElsewhere } from './file.holders.ts';
import { endingUploads, uploadOf } from '../uploads/upload.projection.ts';
import type { Upload } from '../uploads/upload.state.ts';
import { uploadDecider } from '../uploads/upload.ts';

type CleaningPorts = Pick<MediaPorts, 'ask' | 'log' | 'logger' | 'documents' | 'clock' | 'store'>;
type EndingPorts = Omit<CleaningPorts, 'store'>;

/** Milliseconds between two rounds, and how many uploads of a school one looks at. */
const [betweenRounds, atOnce] = [600_000, 200];

/** Removes the bytes of what is not to be read any more. A crash in between leaves nothing: it comes again. */
export const removingBytes: Reaction<MediaSettings> = {
  name: 'removing-bytes',
  events: discarding,
  perform: ({ tenant, stream }, { settings }) => storeOf(settings).store.remove({ school: tenant, id: stream }),
};

/**
 * Ends the uploads whose bytes are awaited no more and the files that nothing has named for days, and gives their part of the
 * quota back. One school that cannot be looked after is left for the next round.
 */
export const endUploads = (ports: EndingPorts): Promise<void> =>
  forEachTenant(
    {
      documents: ports.documents,
      collection: endingUploads,
      onError: (err, school) => ports.logger.error({ err, school }, 'the uploads of a school could not be ended'),
    },
    (school) => endUploadsOf(school, ports),
  );

async function endUploadsOf(tenant: string, ports: EndingPorts): Promise<void> {
  const now = isoTime(ports.clock.now());
  const where = [{ field: 'ends_at', to: now }];
  const sort = { field: 'ends_at', descending: false };
  const { items } = await ports.documents.query(endingUploads, tenant, { where, sort, limit: atOnce });
  const files = items.filter(({ body }) => uploadOf(body).state === 'ready').map(({ id }) => id);
  // Bytes are gone for good: who may name the file is asked as well.
  const held = files.length === 0 ? new Set() : await heldElsewhere(ports, tenant, files);
  for (const { id, body } of items) if (!held.has(id)) await endUpload(tenant, id, uploadOf(body), now, ports);
}

const endUpload = (tenant: string, id: string, { version }: Upload, now: string, { log }: Pick<EndingPorts, 'log'>) =>
  execute(log, uploadDecider, {
    tenant,
    stream: id,
    command: { type: 'ExpireUpload', id, now },
    at: now,
    meta: { actor: 'system' },
    commitId: uuidv5('expire-upload', tenant, id, String(version)),
  });

/** Removes bytes that nobody awaits: a process ended between the end of an upload and the last of its bytes. */
async function removeStrays({ log, store }: Pick<CleaningPorts, 'log' | 'store'>): Promise<void> {
  for await (const place of store.unfinished()) {
    const { state } = await fold(log, uploadDecider, place.school, place.id);
    if (state?.state !== 'requested') await store.removeUnfinished(place);
  }
}

/** Looks after uploads that end by themselves, when a start has opened their read model and then every ten minutes. */
export const cleaningUploads: BackgroundJob<MediaSettings, MediaServicePorts> = {
  name: 'cleaning-uploads',
  begin: (ports) =>
    inRounds(() => Promise.all([endUploads(ports), removeStrays(ports)]), {
      first: 1_000,
      every: betweenRounds,
      onError: (err) => ports.logger.error({ err }, 'unfinished uploads could not be looked after'),
    }),
};
