import { type EventContext, type Recorded, isoTime, recording, unrecorded } from '@lyceum/kernel';
import type { UploadEvent } from './upload.events.ts';

/** An upload as its events tell it. */
export interface Upload extends Recorded {
  readonly state: 'requested' | 'scanning' | 'ready' | 'rejected' | 'expired' | 'cancelled' | 'deleted';
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
  /** Ids of the things that name it. */
  readonly holders: readonly string[];
  /** RFC 3339: when it is deleted, unless something names it by then. Null = not by itself. */
  readonly deleted_at: string | null;
  /** Days that it stays when nothing names it; null = for ever. */
  readonly unreferenced_days: number | null;
}

/** An upload; null = there is none. */
export type UploadState = Upload | null;

const none = { reason: null, holders: [], deleted_at: null, unreferenced_days: null } as const;

function apply(state: UploadState, event: UploadEvent): UploadState {
  if (event.type === 'UploadRequested') return { ...event.data, state: 'requested', ...none, ...unrecorded };
  if (!state) return state;
  switch (event.type) {
    case 'ScanBegun':
      return { ...state, state: 'scanning', content_type: event.data.type };
    case 'FileReady':
      return { ...state, state: 'ready', content_type: event.data.type };
    case 'UnreferencedDaysSet':
      return { ...state, unreferenced_days: event.data.days };
    case 'ReferenceAdded':
      return { ...state, holders: [...state.holders, event.data.holder_id] };
    case 'ReferenceRemoved':
      return { ...state, holders: state.holders.filter((id) => id !== event.data.holder_id) };
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

const recorded = recording(apply, { created: 'UploadRequested' });

/** Folds an event as the log recorded it. */
export function evolve(before: UploadState, event: UploadEvent, context: EventContext): UploadState {
  const upload = recorded(before, event, context);
  return upload && { ...upload, deleted_at: endOf(upload, before, context.at) };
}

const day = 86_400_000;

/** When a file is deleted: days are counted from when nothing named it any more. */
function endOf({ state, holders, unreferenced_days }: Upload, before: UploadState, at: string): string | null {
  if (state !== 'ready' || holders.length > 0 || unreferenced_days === null) return null;
  return before?.deleted_at ?? isoTime(Date.parse(at) + unreferenced_days * day);
}

/** Whether an upload holds a part of the school's quota. */
export const holdsQuota = (state: UploadState): boolean =>
  state !== null && ['requested', 'scanning', 'ready'].includes(state.state);
