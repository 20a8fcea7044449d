// The order in which jest runs suites. Without a record of earlier runs, as in CI, jest takes large files first; these
// wait for processes rather than being large, and one of them left for the end would run alone.
import Sequencer from '@jest/test-sequencer';

const slow = [
  'system/outages',
  'commerce/src/system/',
  'system/durability',
  'simulation/src/',
  'crashtest/src/kills',
  'pages/every-page.browser',
  'checkout/checkout.browser',
  'system/process',
  'system/backup',
  'kafka/kafka.test',
  'eventlog/src/crash.test',
  'system/token-kills',
  'system/data-export',
  'system/access',
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
  'system/rotation',
  'system/erasure',
  'system/planted-secrets',
  'new/new.system',
  'plan-access/plan-access.property',
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
