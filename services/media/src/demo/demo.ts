import { demoAccountId, demoFileId, demoFiles, demoImages, demoPdf, demoSchoolId } from '@lyceum/contracts';
import { fold } from '@lyceum/eventlog';
import { type Ids, isoTime, uuidv5 } from '@lyceum/kernel';
import type { Slice } from '@lyceum/service';
import { Problem } from '@lyceum/web';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { MediaPorts, MediaServicePorts } from '../ports/media-ports.ts';
import type { MediaSettings } from '../ports/media-settings.ts';
import { announce, complete } from '../storage/upload.write.ts';
import { uploadDecider } from '../uploads/upload.ts';
import { demoPng } from './demo-image.ts';

/** Sends bytes as a client does: to this service, or past it where files are in a bucket. */
async function send({ store, sent }: MediaPorts, place: { school: string; id: string }, bytes: Buffer): Promise<void> {
  const size = bytes.length;
  if (sent) return void (await sent.append(place, 0, size, Readable.from([bytes])));
  const target = await store.target(place, { size, sha256: digest(bytes) }, 600);
  if (!target) throw new Error('nobody takes the bytes of the demo');
  const { ok, status } = await fetch(target.url, {
    method: 'PUT',
    headers: target.headers,
    body: new Uint8Array(bytes),
  });
  if (!ok) throw new Error(`the bytes of the demo were refused: ${status}`);
}

const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** A file of the demo: what is announced of it, and how its bytes are made. */
interface MadeFile {
  readonly name: string;
  readonly filename: string;
  readonly content_type: string;
  readonly purpose: 'product_file' | 'cover' | 'page_image';
  bytes(): Buffer;
}

/** All files of a demo school, what pages show first. */
const filesOf = (slug: string): readonly MadeFile[] => [
  ...(demoImages[slug] ?? []).map((image): MadeFile => {
    const { name, purpose } = image;
    return { name, filename: `${name}.png`, content_type: 'image/png', purpose, bytes: () => demoPng(image) };
  }),
  ...(demoFiles[slug] ?? []).map((file): MadeFile => {
    const announced = {
      filename: `${file.name}.pdf`,
      content_type: 'application/pdf',
      purpose: 'product_file',
    } as const;
    return { name: file.name, ...announced, bytes: () => Buffer.from(demoPdf(file), 'latin1') };
  }),
];

/** Announces a file, sends its bytes, and completes it, as far as that is not done. */
async function seedFile(ports: MediaPorts, school: string, file: MadeFile): Promise<void> {
  const id = demoFileId(school, file.name);
  const stateOf = async () => (await fold(ports.log, uploadDecider, school, id)).state;
  const by = (step: string) => ({
    school,
    principal: { subject: demoAccountId(school, 'owner'), role: 'owner' } as const,
    at: isoTime(ports.clock.now()),
    meta: { actor: 'system' },
    commit: { commitId: uuidv5('demo-file', step, id), fingerprint: '' },
    expected: undefined,
  });
  const known = await stateOf();
  if (known !== null && known.state !== 'requested') return;
  const bytes = file.bytes();
  if (known === null) {
    const { filename, content_type, purpose } = file;
    const announced = { filename, content_type, size: bytes.length };
    const ids: Ids = { next: () => id, secret: (length) => ports.ids.secret(length) };
    const body = { ...announced, purpose, sha256: digest(bytes) } as const;
    await announce(by('announce'), body, { ...ports, ids });
  }
  if ((await stateOf())?.state !== 'requested') return;
  await send(ports, { school, id }, bytes);
  await complete(by('complete'), id, ports);
}

/** What is refused, as there is no room any more, or was deleted meanwhile, is left out. */
async function seedFiles(ports: MediaPorts): Promise<void> {
  for (const slug of Object.keys(demoFiles))
    for (const file of filesOf(slug))
      await seedFile(ports, demoSchoolId(slug), file).catch((err: unknown) => {
        if (!(err instanceof Problem) || err.status === 503) throw err;
        ports.logger.debug({ err }, 'a file of the demo is left out');
      });
}

/** The files of the demo schools, sent as clients send them. */
export const demoSlice: Slice<MediaSettings, MediaServicePorts> = {
  name: 'demo',
  operations: [],
  seedDemoHistory: (_demo, ports) => seedFiles(ports),
};
