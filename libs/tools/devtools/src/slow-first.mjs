// The order in which jest runs suites. Without a record of earlier runs, as in CI, jest takes large files first; these
// wait for processes rather than being large, and one of them left for the end would run alone.
import Sequencer from '@jest/test-sequencer';

const slow = [
  'commerce/src/system/',
  'system/operating/durability',
  'system/attacks/hostile-site',
  'system/attacks/hostile-people',
  'simulation/src/',
  'crashtest/src/kills',
  'pages/every-page.browser',
  'checkout/checkout.browser',
  'registering/registration-form.browser',
  'system/operating/process',
  'system/operating/demo-history',
  'system/operating/backup',
  'kafka/kafka.test',
  'eventlog/src/crash.test',
  'system/people/token-kills',
  'system/people/data-export',
  'system/learning/enrollment',
  'renewals/year',
  'system/people/access',
  'token/races',
  'boot/moving',
  'documents/src/mongodb/mongodb.test',
  'kafka/kafka-conformance',
  'eventlog/src/mongodb/mongodb.test',
  'ephemeral/src/redis.test',
  'local/kafka-server',
  'mcp/server/mcp-conformance',
  'authorize/sign-in.test',
  'example/program.system',
  'steps/limits',
  'system/operating/rotation',
  'release/release.test',
  'system/agents/python-consumer',
  'system/people/erasure',
  'system/attacks/planted-secrets',
  'new/new.system',
  'plan-access/plan-access.property',
  'system/selling/seats',
  'seats/seats.crash',
  'system/learning/event-registrations',
  'registering/rebuild',
];

const rank = ({ path }) => {
  const at = slow.findIndex((part) => path.includes(part));
  return at < 0 ? slow.length : at;
};

export default class SlowFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).toSorted((a, b) => rank(a) - rank(b));
  }
}
