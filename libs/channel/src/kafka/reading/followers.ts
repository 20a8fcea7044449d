import type { KafkaMessage } from '../kafka-driver.ts';
import type { Message } from '../../port.ts';

/** What a reader feeds. Lanes come and go with the group's assignment. */
export interface Followers {
  /** These lanes, and no others, are read from now on; everything before is in the owner's history. */
  assigned(lanes: readonly number[]): void;
  /** The group divides the lanes anew, or the connection is lost: none is this process's for certain. */
  revoked(): void;
  /** Whether the owner's history cannot be read now, so that what Kafka still has is all there is. */
  isOwnerAway(): Promise<boolean>;
  /** How many messages more they take, as a part of all that they ever take: 1 when nothing waits, 0 when they are full. */
  room(lane: number): number;
  receive(lane: number, message: Message): void;
  /** Records of the lane were lost or are not readable. */
  missed(lane: number): void;
  unreadable(lane: number, record: KafkaMessage, problem: unknown): void;
  /** The position up to which the lane is handled. */
  watermark(lane: number): number;
  failed(error: unknown): void;
}

/** What to read, and as whom. */
export interface Reading {
  readonly source: string;
  readonly lanes: number;
  readonly group: string;
  /** Whether other processes are in the group. Then handled offsets are committed: a hint for tools that show lag, never the truth. */
  readonly isShared: boolean;
  /** Milliseconds without a record, although there are some, after which the consumer is made anew. */
  readonly stallAfter: number;
}
