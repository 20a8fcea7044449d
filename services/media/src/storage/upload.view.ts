import type { UploadReply } from './upload.schema.ts';
import type { Upload } from '../uploads/upload.state.ts';

/** What stands beside the state of an upload. */
export type Beside = Pick<UploadReply, 'received' | 'upload' | 'url'>;

/** An upload as the staff read it. */
export function uploadDocument(upload: Upload, id: string, beside: Beside) {
  const { created_by: _by, holders, unreferenced_days: _days, state, ...rest } = upload;
  return { ...rest, state, in_use: holders.length > 0, id, object: 'upload', ...beside, view: 'staff' } as const;
}
