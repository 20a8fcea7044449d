/** A service in another process: its addresses, any of which may be asked, and what makes it answer. */
export interface Peer {
  readonly name: string;
  /** Origins of its instances, at least one. */
  readonly urls: readonly string[];
  /** Shown in `x-service-token`. */
  readonly token: string;
}

/** Whether a service runs in another process, which may be down: no readiness depends on it. */
export type IsAway = (service: string) => boolean;
