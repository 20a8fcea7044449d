import { type Witness, tests } from './witness.ts';

/** A row of the failure table: what happens, what comes of it, and which tests show it. */
export interface Row {
  readonly fault: string;
  readonly result: string;
  readonly witnesses: readonly Witness[];
}

const here = tests('libs/tools/crashtest/src');
const log = tests('libs/eventlog/src');
const channel = tests('libs/channel/src');
const documents = tests('libs/documents/src');
const ephemeral = tests('libs/ephemeral/src');
const system = tests('services/all-in-one/src/system');

/** What can break, and why nothing is lost or doubled. Every row has a test; those of C1 to C10 and C18 to C26 kill real processes. */
export const failureTable: Readonly<Record<`C${number}`, Row>> = {
  C1: {
    fault: 'crash before the insert reaches the database',
    result: 'nothing stored; the client asks again with its key',
    witnesses: [
      here('kills/kills-writing', 'C1: killed before'),
      log('mongodb/mongodb-faults', 'C1, C3, C4: connections cut at random'),
    ],
  },
  C2: {
    fault: 'crash when the commit is durable, before the reply',
    result: 'stored; the same id is answered with it',
    witnesses: [
      here('kills/kills-writing', 'C2: killed when'),
      log('mongodb/mongodb-faults', 'C2: an append whose answer got lost'),
    ],
  },
  C3: {
    fault: 'crash inside the insert of a group',
    result: 'a prefix is stored (embedded: all or nothing); the rest is found missing by id',
    witnesses: [
      here('kills/kills-writing', 'C3: killed inside'),
      log('mongodb/mongodb-faults', 'C1, C3, C4: connections cut at random'),
    ],
  },
  C4: {
    fault: 'stored, the doorbell is lost',
    result: 'a delay of one look at most',
    witnesses: [
      here('kills/kills-writing', 'C4: killed when'),
      here('failures/channel-rows', 'C4: no doorbell ever rings'),
    ],
  },
  C5: {
    fault: 'the transport acknowledged, the checkpoint is not saved',
    result: 'published again; the watermark drops it',
    witnesses: [here('kills/kills-following', 'C5: the transport acknowledged')],
  },
  C6: {
    fault: 'publishing timed out, its outcome is unknown',
    result: 'the same batch again; the watermark drops it',
    witnesses: [
      here('kills/kills-following', 'C6: killed while'),
      here('failures/channel-rows', 'C6: three of four answers'),
      channel('kafka/kafka', 'C6, R3: a broker killed and restarted'),
    ],
  },
  C7: {
    fault: 'two relays at once, one of them paused before',
    result: 'repeats and rewinds; the watermark only rises',
    witnesses: [
      here('kills/kills-following', 'C7: a relay with'),
      here('failures/channel-rows', 'C7: two relays publish at once'),
    ],
  },
  C8: {
    fault: 'the transport loses or expires records',
    result: 'a gap is seen and filled from the owner',
    witnesses: [
      here('kills/kills-following', 'C8: the transport lost'),
      here('failures/channel-rows', 'C8: the transport %s'),
      channel('kafka/kafka', 'C8: a loss that no later message tells of'),
    ],
  },
  C9: {
    fault: 'the effect is done, the watermark is not saved',
    result: 'the fact comes again; its effect has a derived id',
    witnesses: [here('kills/kills-following', 'C9: the effect is done')],
  },
  C10: {
    fault: 'crash inside the write of a projection',
    result: 'the batch comes again; documents and place moved together',
    witnesses: [
      here('kills/kills-writing', 'C10: killed inside'),
      documents('projector/parking', 'a crash after any write leaves the stream parked or flowing'),
    ],
  },
  C11: {
    fault: 'the MongoDB-wire server fails over',
    result: 'what was acknowledged stays; the head is looked up again',
    witnesses: [
      here('failures/server-rows', 'C11: the server is killed under appends'),
      log('mongodb/mongodb-faults', 'a server killed again and again keeps what was acknowledged'),
      here('elections/elections', 'C11: while elections hide acknowledged commits and changes'),
    ],
  },
  C12: {
    fault: 'the history of change streams is lost',
    result: 'nothing: none is opened',
    witnesses: [here('failures/server-rows', 'C12: no source opens one')],
  },
  C13: {
    fault: 'Redis is flushed',
    result: 'codes and counts are gone; nothing durable was there',
    witnesses: [ephemeral('redis', 'C13: a flushed server'), system('operating/outages.long', 'C13: Redis is flushed')],
  },
  C14: {
    fault: 'an event that a projection cannot take',
    result: 'its stream is parked, the others flow',
    witnesses: [
      here('failures/engine-rows', 'C14: its stream is parked'),
      documents('projector/parking', 'parks its stream after the tries'),
    ],
  },
  C15: {
    fault: 'the disk is full',
    result: 'appends fail, reads work, what was acknowledged is there',
    witnesses: [
      here('failures/engine-rows', 'C15: the engine has no page left'),
      here('failures/engine-rows', 'C15: a file system without room'),
      here('failures/fsyncs', 'nobody is answered before it is durable'),
    ],
  },
  C16: {
    fault: 'clocks jump',
    result: 'none on order',
    witnesses: [
      here('failures/engine-rows', 'C16: callers whose clocks jump'),
      here('failures/engine-rows', 'C16: ids that name times'),
    ],
  },
  C17: {
    fault: 'the log was restored from a backup',
    result: 'the log has another incarnation: whoever follows it begins anew, also when it has grown past their place',
    witnesses: [
      here('failures/engine-rows', 'C17: who has read further'),
      channel('facts', 'C17: a reader that is ahead of a restored owner'),
      log('sqlite/log-file', 'begins another life when it is revived'),
      log('mongodb/mongodb', 'C17: all processes see one life of the log'),
      tests('libs/internal-api/src/trust')('follow-trust', 'C17: what a log said in another life'),
      documents('read-model/read-model', 'C17: is built anew when the log of its source'),
    ],
  },
  C18: {
    fault: 'a process manager dies between any two of its steps',
    result: 'what it owed is found again behind its place; inputs, timers and commands have derived ids',
    witnesses: [
      here('kills/kills-reacting', 'C18: a process manager killed'),
      tests('libs/service/src/process')('process', 'a crash %s append %i is made up for'),
      tests('libs/service/src/process')('process-fairness', 'is found again after a crash'),
    ],
  },
  C19: {
    fault: 'a reaction dies around its effect, or before its place is saved',
    result: 'the effect is repeated, in the order of its stream; none is left out',
    witnesses: [
      here('kills/kills-reacting', 'C19: a reaction killed'),
      tests('libs/service/src/reactions')('reaction', 'that fails for ever holds one stream'),
    ],
  },
  C20: {
    fault: 'a process dies around a write to a MongoDB-wire server',
    result: 'a prefix of the group is stored, and a step of documents is made whole by whoever comes next',
    witnesses: [
      here('kills/kills-on-servers', 'C20: killed around any write'),
      documents('mongodb/moves', 'a step that was made in part is made whole'),
    ],
  },
  C21: {
    fault: 'a relay dies around what it sends to Kafka',
    result: 'sent again; the watermark drops it',
    witnesses: [here('kills/kills-on-servers', 'C21: killed around what is sent')],
  },
  C22: {
    fault: 'a consumer dies before or after it hands on what Kafka brought',
    result: 'its own watermark and the history of the owner say what is missing',
    witnesses: [here('kills/kills-on-servers', 'C22: killed before or after a batch')],
  },
  C23: {
    fault: 'a consumer dies around the commit of its offsets',
    result: 'nothing: no offset is the truth',
    witnesses: [here('kills/kills-on-servers', 'C23: killed around saying')],
  },
  C24: {
    fault: 'an erasure dies between two of its steps',
    result: 'before the key is destroyed it was never begun; after it, the next start completes it',
    witnesses: [
      here('kills/kills-erasing', 'C24: an erasure killed'),
      tests('libs/operations/src/erasure')('erasing', 'cut off right after the key is destroyed'),
    ],
  },
  C25: {
    fault: 'a process dies around an erasure while a new version of a read model is built',
    result: 'neither the version that is built nor the one that is read shows the erased',
    witnesses: [
      here('kills/kills-erasing', 'C25: killed while a new version'),
      tests('libs/operations/src/erasure')('erasing', 'E-A4: while a new version of a read model is built'),
    ],
  },
  C26: {
    fault: 'the process dies that an erasure was asked of, another one holds keys and read models',
    result: 'the other one follows the log; what was cut off, the next start completes',
    witnesses: [
      here('kills/kills-erasing', 'C26: an erasure asked'),
      tests('libs/operations/src/erasure')('erasing', 'another process of the service, which holds the key'),
    ],
  },
};
