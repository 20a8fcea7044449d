export {
  type Backfill,
  type Channel,
  type Fact,
  type Message,
  type Subscribed,
  type Subscription,
  ChannelClosed,
} from './port.ts';
export { type InboxOptions, HistoryGap, Inbox } from './inbox.ts';
export { type Cross, type SourceCommit, type SourceEvent, type SourceLog, backfillOf, messagesOf } from './facts.ts';
export { memoryChannel } from './memory.ts';
