import { execute, fold } from '@lyceum/eventlog';
import { isRejection, isoTime, uuidv5 } from '@lyceum/kernel';
import type { Reaction } from '@lyceum/service';
import { type Verdict, askScanner } from '../bytes/scanner.ts';
import { storeOf } from '../ports/media-ports.ts';
import type { MediaSettings } from '../ports/media-settings.ts';
import type { Upload } from '../uploads/upload.state.ts';
import { type UploadCommand, uploadDecider } from '../uploads/upload.ts';

type Ports = Parameters<Reaction<MediaSettings>['perform']>[1];

/** Asks the scanner about each file that is to be scanned. While it is away the file waits: it is asked again. */
export const scanningFiles: Reaction<MediaSettings> = {
  name: 'scanning-files',
  events: ['ScanBegun'],
  async perform({ tenant, stream: id }, ports) {
    const { state: upload } = await fold(ports.log, uploadDecider, tenant, id);
    if (upload?.state !== 'scanning') return;
    const command = commandAfter(await verdictOf(tenant, id, upload, ports), id, upload);
    const done = await execute(ports.log, uploadDecider, {
      tenant,
      stream: id,
      command,
      at: isoTime(ports.clock.now()),
      meta: { actor: 'system' },
      commitId: uuidv5('scanned', tenant, id),
    });
    // Whoever deleted it meanwhile was first.
    if (isRejection(done) && done.rejected !== 'not_found' && done.rejected !== 'invalid_state')
      throw new Error(done.reason);
  },
};

/** What the scanner says; an operator who has none any more lets files pass. */
async function verdictOf(school: string, id: string, upload: Upload, { settings }: Ports): Promise<Verdict> {
  const { MEDIA_SCAN_URL: url } = settings;
  if (url === undefined) return { clean: true };
  const bytes = await storeOf(settings).store.read({ school, id });
  if (!bytes) throw new Error('the bytes of a file that is to be scanned are not there');
  try {
    return await askScanner(url, bytes, upload.size, upload.content_type);
  } finally {
    bytes.destroy();
  }
}

const commandAfter = ({ clean, reason }: Verdict, id: string, { content_type }: Upload): UploadCommand =>
  clean
    ? { type: 'MakeReady', id, contentType: content_type }
    : { type: 'RejectUpload', id, reason: `The scanner refuses it${reason === undefined ? '' : `: ${reason}`}` };
