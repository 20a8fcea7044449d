// The system at a glance: rate, errors and duration of each service, and what stands below them.
import { chosen, dashboard, lines, nothing, number, query, rate } from './dashboard.mjs';

const requests = 'http_server_request_duration_seconds';
const people = 'service!="operator"';
const failed = 'http_response_status_code=~"5.."';
// Streams last as long as their readers.
const answered = chosen(people, 'http_route!~"/api/changes|/mcp"');
const processes = chosen('job="lyceum"');
const quantile = (share) =>
  `histogram_quantile(${share}, sum by (service, le) (${rate(`${requests}_bucket${answered}`)}))`;

export const glance = dashboard({
  uid: 'lyceum-glance',
  title: 'Lyceum / At a glance',
  description: 'Requests of each service, the processes, and the engines below them',
  rows: [
    [
      nothing('Alerts', 'count(ALERTS{alertname=~"Lyceum.+",alertstate="firing",namespace=~"$namespace"})'),
      number('Processes that are ready', 'none', [query(`sum(lyceum_ready${chosen()})`)]),
      nothing('Processes that are not reached', `count(up${processes} == 0)`),
      nothing('No answer from MongoDB', `count(lyceum_engine_up${chosen('system="mongodb"')} == 0)`),
      nothing('No answer from Kafka', `count(lyceum_engine_up${chosen('system="kafka"')} == 0)`),
      nothing('No answer from Redis', `count(lyceum_engine_up${chosen('system="redis"')} == 0)`),
    ],
    [
      lines('Requests', 'reqps', [
        query(`sum by (service) (${rate(`${requests}_count${chosen(people)}`)})`, '{{service}}'),
      ]),
      lines('Answers 5xx', 'percentunit', [
        query(
          `sum by (service) (${rate(`${requests}_count${chosen(people, failed)}`)}) / sum by (service) (${rate(`${requests}_count${chosen(people)}`)})`,
          '{{service}}',
        ),
      ]),
      lines('Duration, 99 of 100 are faster', 's', [query(quantile(0.99), '{{service}}')]),
    ],
    [
      lines('Duration, half are faster', 's', [query(quantile(0.5), '{{service}}')]),
      lines('Answers by status', 'reqps', [
        query(
          `sum by (http_response_status_code) (${rate(`${requests}_count${chosen(people)}`)})`,
          '{{http_response_status_code}}',
        ),
      ]),
      lines('Requests that limits refuse', 'reqps', [
        query(`sum by (policy) (${rate(`lyceum_rate_limits_total${chosen('outcome="refused"')}`)})`, '{{policy}}'),
      ]),
    ],
    [
      lines('Processor time', 'none', [query(rate(`process_cpu_seconds_total${processes}`), '{{pod}} {{instance}}')]),
      lines('Memory', 'bytes', [query(`process_resident_memory_bytes${processes}`, '{{pod}} {{instance}}')]),
      lines('Delay of the event loop, 99 of 100 are shorter', 's', [
        query(`nodejs_eventloop_lag_p99_seconds${processes}`, '{{pod}} {{instance}}'),
      ]),
    ],
  ],
});
