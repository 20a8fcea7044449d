import { type Witness, tests } from './witness.ts';

/** What people may rely on while processes end, begin and change, and the tests that show it. */
export interface Claim {
  readonly claim: string;
  readonly witnesses: readonly Witness[];
}

const host = tests('libs/host/src');
const channel = tests('libs/channel/src');
const gateway = tests('services/gateway/src');
const system = tests('services/all-in-one/src/system');
const drill = tests('services/all-in-one/src/drills');
const kills = tests('libs/tools/crashtest/src/kills');

type Name = `${'S' | 'G' | 'A' | 'D' | 'K' | 'R'}${number}`;

/** S: every process, G: the gateway, A: the authorization server, D: domain services, K: consumers, R: the relay. */
export const availabilityTable: Readonly<Record<Name, Claim>> = {
  S1: {
    claim: 'after SIGTERM a process is unready at once, alive, and serves new connections for DRAIN_DELAY_SECONDS',
    witnesses: [
      host('boot/boot', 'stops in order: unready at once, still serving'),
      system('operating/process', 'SIGTERM with a slow request in flight: unready at once'),
    ],
  },
  S2: {
    claim: 'while it drains every answer says Connection: close; then idle connections end, and it exits with 0',
    witnesses: [
      host('http/listener', 'while draining, a new connection is served and told to close'),
      host('http/listener', 'closing lets a slow request finish and ends idle keep-alive connections'),
      system('operating/outages.long', 'SIGTERM ends every process with 0'),
    ],
  },
  S3: {
    claim: 'a second signal, or a request that outlasts the patience, ends it with 1 and says what was abandoned',
    witnesses: [system('operating/process', 'a request that never ends is cut off within 10 s with exit 1')],
  },
  S4: {
    claim: 'a service goes from one process to three and back under load, and no request fails',
    witnesses: [drill('scaling.long', 'no request fails')],
  },
  S5: {
    claim: 'a connection that waits is kept longer than a router keeps it',
    witnesses: [
      host('http/listener', 'RFC 9112 §9.6: a request that is on its way when the listener closes'),
      gateway('upstream/bad-responses', 'one that the service ended while it was idle is not used again'),
    ],
  },
  S6: {
    claim: 'an engine that is away ends no process',
    witnesses: [
      system('operating/outages.long', 'the MongoDB-wire server is killed: 503 with Retry-After, and service again'),
      system('operating/outages.long', 'a service that starts while the MongoDB-wire server is down'),
    ],
  },
  S7: {
    claim: 'what ends leaves no process and no port behind',
    witnesses: [
      system('operating/process', 'one process per data folder, and one per port'),
      host('boot/boot', 'that fails while starting closes what it had opened'),
    ],
  },
  G1: {
    claim:
      'the gateway asks again only what may be asked twice: a killed service costs no GET, and no POST is sent twice',
    witnesses: [
      gateway('upstream/http-upstream', 'G1: connections that die under requests cost no GET'),
      gateway('upstream/http-upstream', 'G1: of two instances one is killed under load'),
    ],
  },
  G2: {
    claim: 'a stream ends with what its reader needs to go on',
    witnesses: [
      gateway('change-feed/change.stream', 'S15: ends after its time, with what its reader needs to come back'),
    ],
  },
  G3: {
    claim: 'without the authorization server discovery, documents and courses are served',
    witnesses: [system('operating/outages.long', 'G3: the authorization server is dead')],
  },
  G4: {
    claim: 'without the school service the schools that are known are served, and no host is nobody’s too early',
    witnesses: [gateway('module', 'is started while the school service is away: hosts answer as they were kept')],
  },
  A1: {
    claim: 'a code is redeemed once, whatever dies',
    witnesses: [system('people/token-kills', 'kills at random moments while codes outlive the process')],
  },
  A2: {
    claim: 'a refresh whose answer got lost is answered again with the same successor',
    witnesses: [system('people/token-kills', 'no code or refresh token has two successors; a retry gets its answer')],
  },
  A3: {
    claim: 'signing keys change under load, and no good token is refused',
    witnesses: [system('operating/rotation', 'no token that is still good is refused anywhere')],
  },
  A4: {
    claim: 'without Redis, or when it was emptied, nothing is given twice, and tokens stay good',
    witnesses: [
      system('operating/outages.long', 'C13: Redis is flushed'),
      system('operating/outages.long', 'Redis is killed: tokens are good without it'),
      tests('libs/ephemeral/src')('redis-connection', 'a redeem whose answer is lost is not repeated'),
    ],
  },
  A5: {
    claim: 'a revocation is in force in other services within a second',
    witnesses: [system('operating/outages.long', 'A5: a revocation at one service')],
  },
  D1: {
    claim: 'whatever is killed, an acknowledged command is there exactly once',
    witnesses: [
      system('operating/outages.long', 'D1: ${kills} kills of processes at random'),
      system('operating/durability', 'kills at random moments while courses are written'),
    ],
  },
  D2: {
    claim: 'versions of a stream have no gaps',
    witnesses: [tests('libs/tools/crashtest/src/history')('check-history', 'a version that is skipped')],
  },
  K1: {
    claim: 'a consumer leaves within a second',
    witnesses: [channel('kafka/kafka', 'K1: leaving takes less than a second')],
  },
  K2: {
    claim: 'processes divide the lanes of a consumer, and hand them over',
    witnesses: [channel('kafka/kafka', 'mode shared: two processes divide the lanes')],
  },
  K3: {
    claim: 'after any crash read models say what a clean replay says',
    witnesses: [
      kills('kills-writing', 'C10: killed inside the write of a projection'),
      drill('upgrade.system', 'after an upgrade read models are those of a clean replay'),
    ],
  },
  K4: {
    claim: 'what cannot be applied parks its stream, and all others go on',
    witnesses: [
      tests('libs/documents/src/projector')('parking', 'parks its stream after the tries it has'),
      channel('kafka/kafka', 'an unreadable record becomes a dead letter'),
    ],
  },
  K5: {
    claim: 'what was written while nobody consumed is consumed afterwards, without a message lost',
    witnesses: [
      channel('kafka/kafka', 'C6, R3: a broker killed and restarted under publishing costs time only'),
      system('operating/outages.long', 'every write is answered 201, and then everything is published'),
    ],
  },
  R1: {
    claim: 'one process relays; the next follows at once, or when the lease of one that was killed has ended',
    witnesses: [
      tests('libs/service/src/running/document-leases')('leases', 'R1: who gives it back is followed at once'),
      tests('libs/service/src/running/document-leases')('leases', 'R1: who falls silent is followed after a lifetime'),
      tests('libs/service/src/publishing')('publish', 'R1: of several processes one relays'),
    ],
  },
  R2: {
    claim: 'the order of a stream is kept from one relay to the next',
    witnesses: [
      tests('libs/service/src/publishing')('publish', 'R2: what was written while nobody relayed'),
      kills('kills-following', 'C7: a relay with an old place publishes beside another one'),
    ],
  },
  R3: {
    claim: 'without Kafka writes are taken; it is published when it is back, and nothing is lost',
    witnesses: [
      system('operating/outages.long', 'R3: Kafka is away for'),
      tests('libs/tools/crashtest/src/failures')('kafka-outage', 'R3: '),
      tests('libs/service/src/publishing')('publish', 'R3: while the transport is away'),
    ],
  },
};
