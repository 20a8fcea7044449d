/** What happened since the channel was made. */
export interface KafkaCounts {
  /** Messages that Kafka accepted. */
  readonly published: number;
  /** Messages that came from Kafka, repeats included. */
  readonly received: number;
  /** Records that nobody can read; each is in the topic `<source>.dead`. */
  readonly unreadable: number;
  /** Consumers that had to be replaced. */
  readonly restarts: number;
}
