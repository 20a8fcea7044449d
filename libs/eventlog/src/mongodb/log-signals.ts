/** How the processes of one log tell each other that a lane grew. What is told may be lost, and come late or twice. */
export interface LogSignals {
  /** Returns at once. */
  tell(lane: number, position: number): void;
  listen(grown: (lane: number, position: number) => void): {
    /** Whether what other processes tell arrives, as far as is known at present. */
    readonly isConnected: boolean;
    close(): void;
  };
}
