import { setTimeout as delay } from 'node:timers/promises';
import { execute, fold } from '@lyceum/eventlog';
import { isoTime, uuidv5 } from '@lyceum/kernel';
import type { BackgroundJob, Reaction } from '@lyceum/service';
import { LocalStore } from '../bytes/local-store.ts';
import type { MediaPorts, MediaServicePorts } from '../ports/media-ports.ts';
import { type MediaSettings, directoryOf } from '../ports/media-settings.ts';
import { discarding } from './upload.events.ts';
import { unfinishedUploads } from './upload.projection.ts';
import { uploadDecider } from './upload.ts';

type CleaningPorts = Pick<MediaPorts, 'log' | 'documents' | 'clock' | 'schools' | 'store'>;

/** Milliseconds between two rounds, and how many uploads of a school one looks at. */
const [betweenRounds, atOnce] = [600_000, 200];

/** Removes the bytes of what is not to be read any more. A crash in between leaves nothing: it comes again. */
export const removingBytes: Reaction<MediaSettings> = {
  name: 'removing-bytes',
  events: discarding,
  perform: ({ tenant, stream }, { settings }) =>
    new LocalStore(directoryOf(settings)).remove({ school: tenant, id: stream }),
};

/** Ends the uploads whose bytes are awaited no more, and gives their part of the quota back. */
export async function expireUploads({ log, documents, clock, schools }: CleaningPorts): Promise<void> {
  const now = isoTime(clock.now());
  for (const tenant of schools) {
    const where = [{ field: 'expires_at', to: now }];
    const { items } = await documents.query(unfinishedUploads, tenant, { where, limit: atOnce });
    for (const { id } of items)
      await execute(log, uploadDecider, {
        tenant,
        stream: id,
        command: { type: 'ExpireUpload', id, now },
        at: now,
        meta: { actor: 'system' },
        commitId: uuidv5('expire-upload', tenant, id),
      });
  }
}

/** Removes bytes that nobody awaits: a process ended between the end of an upload and the last of its bytes. */
async function removeStrays({ log, store }: Pick<CleaningPorts, 'log' | 'store'>): Promise<void> {
  for await (const place of store.unfinished()) {
    const { state } = await fold(log, uploadDecider, place.school, place.id);
    if (state?.state !== 'requested') await store.remove(place);
  }
}

/** Looks after unfinished uploads, at once and then every ten minutes. */
export const cleaningUploads: BackgroundJob<MediaSettings, MediaServicePorts> = {
  name: 'cleaning-uploads',
  begin(ports) {
    const closing = new AbortController();
    const { signal } = closing;
    const cleaning = (async () => {
      while (!signal.aborted) {
        await Promise.all([expireUploads(ports), removeStrays(ports)]).catch((err: unknown) =>
          ports.logger.error({ err }, 'unfinished uploads could not be looked after'),
        );
        await delay(betweenRounds, undefined, { signal, ref: false }).catch(() => undefined);
      }
    })();
    return {
      async close() {
        closing.abort();
        await cleaning;
      },
    };
  },
};
