import type { Permission } from '@lyceum/contracts';
import { codeOf, isoTime } from '@lyceum/kernel';
import { fold } from '@lyceum/eventlog';
import { Problem, type WireExchange } from '@lyceum/web';
import { partIn } from '../bytes/byte-range.ts';
import type { Part } from '../bytes/file-store.ts';
import { TooManyBytes } from '../bytes/local-store.ts';
import { Busy } from '../bytes/turns.ts';
import type { MediaPorts } from '../ports/media-ports.ts';
import { uploadDecider } from '../uploads/upload.ts';

/** Takes the bytes of an upload, or a part that follows those that are here, and says how many are here then. */
export async function takeBytes(context: WireExchange, permission: Permission, ports: MediaPorts): Promise<number> {
  const { id, size } = permission;
  const { sent } = ports;
  if (!sent) throw new Problem('not_found', 'Bytes are sent to the store: read the upload for its address');
  const part = partOfRequest(context, size);
  const work = async (): Promise<number> => {
    await awaitsBytes(permission, ports);
    await follows(part, permission, ports);
    return await sent.append(permission, part.first, size, context.req);
  };
  try {
    return await ports.turns.take(id, () => void context.req.destroy(), work);
  } catch (error) {
    throw problemOfSending(error, context, size);
  }
}

/** How many bytes of an upload are here. */
export async function bytesHere(permission: Permission, ports: MediaPorts): Promise<number> {
  await awaitsBytes(permission, ports);
  return ports.store.received(permission);
}

function partOfRequest(context: WireExchange, size: number): Part {
  const range = context.get('Content-Range');
  const part = partIn(range, size);
  if (!part) throw new Problem('invalid_request', `Content-Range must be bytes first-last/${size}`);
  const announced = context.get('Content-Length');
  if (announced === '') return part;
  const room = part.last - part.first + 1;
  if (Number(announced) > room) throw new Problem('payload_too_large', `At most ${room} bytes belong here`);
  if (range !== '' && Number(announced) < room)
    throw new Problem('invalid_request', 'Content-Length and Content-Range contradict each other');
  return part;
}

async function awaitsBytes({ school, id }: Permission, { log, clock }: MediaPorts): Promise<void> {
  const { state: upload } = await fold(log, uploadDecider, school, id);
  if (!upload) throw new Problem('not_found');
  if (upload.state !== 'requested') throw new Problem('invalid_state', `The upload is ${upload.state}`);
  if (upload.expires_at <= isoTime(clock.now())) throw new Problem('invalid_state', 'The upload is expired');
}

async function follows({ first }: Part, permission: Permission, { store }: MediaPorts): Promise<void> {
  const here = await store.received(permission);
  if (first === 0 || first === here) return;
  const headers = { 'Upload-Offset': String(here) };
  throw new Problem('offset_mismatch', `${here} bytes have arrived: go on behind them, or begin anew`, { headers });
}

function problemOfSending(error: unknown, { req }: WireExchange, size: number): unknown {
  if (error instanceof TooManyBytes) return new Problem('payload_too_large', `The file has ${size} bytes`);
  if (error instanceof Busy) return new Problem('invalid_state', 'The file is being checked');
  if (codeOf(error) === 'ENOSPC')
    return new Problem('temporarily_unavailable', 'There is no room at the moment', { cause: error });
  // What has arrived is kept: the client goes on behind it.
  if (req.destroyed && !req.complete) return new Problem('invalid_request', 'The bytes ended early');
  return error;
}
