import type { Clock } from '@lyceum/kernel';
import type { Keeping } from './build-register.ts';
import type { Feed } from './feed.ts';
import type { Documents } from '../port.ts';
import type { Projection } from '../projection.ts';
import type { ProjectorOptions } from '../projector/projector-options.ts';

/** What a read model runs on. */
export interface ReadModelOptions extends Pick<ProjectorOptions, 'history' | 'tries' | 'onParked'> {
  readonly documents: Documents;
  readonly projection: Projection;
  /** The projection of the version before, to keep its documents fresh while this one is built. */
  readonly previous?: Projection;
  readonly source: string;
  readonly feed: Feed;
  /** Given where processes share the lanes of the source: whether a lane is this one's now. The feed gives no others of a live build. */
  readonly shares?: (lane: number) => boolean;
  /** Names this process among all that use the documents. */
  readonly owner: string;
  readonly clock?: Clock;
  /** Part of the time that a rebuild may take while readers use another build; 0.5 when not given. */
  readonly share?: number;
  readonly keep?: Keeping;
  /** Hears of a build that failed and is begun again. Must not throw. */
  readonly onError?: (error: unknown) => void;
}
