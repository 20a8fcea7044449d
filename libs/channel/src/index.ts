export {
  type Backfill,
  type Channel,
  type Fact,
  type Heads,
  type History,
  type Message,
  type Subscribed,
  type Subscription,
  ChannelClosed,
} from './port.ts';
export type { InboxOptions, InboxPlace } from './inbox/inbox-options.ts';
export { Inbox } from './inbox/inbox.ts';
export { HistoryGap } from './inbox/inbox-chain.ts';
export {
  type ToFact,
  type SourceCommit,
  type SourceEvent,
  type SourceLog,
  HistoryDiverged,
  backfillOf,
  messagesOf,
} from './facts.ts';
export { memoryChannel } from './memory/memory.ts';
export { type KafkaChannel, type KafkaChannelOptions, kafkaChannel } from './kafka/kafka.ts';
export type { KafkaCounts } from './kafka/counts.ts';
export type { KafkaConnection, KafkaSasl } from './kafka/kafka-driver.ts';
export { type RecordHeader, eventTopic, noFact, recordHeaders } from './kafka/record-headers.ts';
export { PermanentDecode } from './kafka/records.ts';
export { reachKafka } from './kafka/reach.ts';
export { type TopicOptions, topicConfiguration } from './kafka/topics.ts';
