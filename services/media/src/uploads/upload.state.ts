import { type Recorded, recording, unrecorded } from '@lyceum/kernel';
import type { UploadEvent } from './upload.events.ts';

/** An upload as its events tell it. */
export interface Upload extends Recorded {
  readonly state: 'requested' | 'ready' | 'rejected' | 'expired' | 'cancelled' | 'deleted';
  readonly purpose: string;
  readonly filename: string;
  /** As announced; once the file is ready, as its content says. */
  readonly content_type: string;
  readonly size: number;
  readonly sha256: string;
  readonly access: 'public' | 'private';
  readonly expires_at: string;
  /** Why it was rejected; null when it was not. */
  readonly reason: string | null;
  readonly created_by: string;
}

/** An upload; null = there is none. */
export type UploadState = Upload | null;

function apply(state: UploadState, event: UploadEvent): UploadState {
  if (event.type === 'UploadRequested') return { ...event.data, state: 'requested', reason: null, ...unrecorded };
  if (!state) return state;
  switch (event.type) {
    case 'FileReady':
      return { ...state, state: 'ready', content_type: event.data.type };
    case 'FileRejected':
      return { ...state, state: 'rejected', reason: event.data.reason };
    case 'UploadCancelled':
      return { ...state, state: 'cancelled' };
    case 'UploadExpired':
      return { ...state, state: 'expired' };
    case 'FileDeleted':
      return { ...state, state: 'deleted' };
  }
}

/** Folds an event as the log recorded it. */
export const evolve = recording(apply, { created: 'UploadRequested' });

/** Whether an upload holds a part of the school's quota. */
export const holdsQuota = (state: UploadState): boolean => state?.state === 'requested' || state?.state === 'ready';
