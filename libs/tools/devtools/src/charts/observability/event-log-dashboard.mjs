// Event logs and the channel: what is written, what waits to be published, received or shown, and what is stuck.
import { chosen, dashboard, lines, nothing, query, rate } from './dashboard.mjs';

const alarm = (name) => `sum(lyceum_alarm${chosen(`name="${name}"`)})`;
const appends = 'lyceum_log_append_duration_seconds';

export const eventLog = dashboard({
  uid: 'lyceum-event-log',
  title: 'Lyceum / Event log and channel',
  description: 'Commits, relays, consumers and read models, and what waits for an operator',
  rows: [
    [
      nothing('Parked streams', `sum(lyceum_parked_streams${chosen()})`),
      nothing('Stuck processes', `sum(lyceum_stuck_processes${chosen()})`),
      nothing('Lanes with a gap', `count(lyceum_lane_missing_position${chosen()} > 0)`),
      nothing('Dead letters', `sum(lyceum_channel_dead_letters_total${chosen()})`),
      nothing('Schools withheld', alarm('withheld_facts')),
      nothing('Disks full', alarm('disk_full')),
    ],
    [
      lines('Commits', 'ops', [query(`sum by (service) (${rate(`${appends}_count${chosen()}`)})`, '{{service}}')]),
      lines('Duration of commits, 99 of 100 are faster', 's', [
        query(
          `histogram_quantile(0.99, sum by (service, le) (${rate(`${appends}_bucket${chosen()}`)}))`,
          '{{service}}',
        ),
      ]),
      lines('Appends that wrote nothing', 'ops', [
        query(
          `sum by (service, error) (${rate(`lyceum_log_append_failures_total${chosen()}`)})`,
          '{{service}} {{error}}',
        ),
      ]),
    ],
    [
      lines('Age of what waits for the relay', 's', [
        query(`max by (service) (lyceum_relay_lag_seconds${chosen()})`, '{{service}}'),
      ]),
      lines('Commits that wait for the relay', 'none', [
        query(`sum by (service) (lyceum_relay_lag_positions${chosen()})`, '{{service}}'),
      ]),
      lines('Duration of commits to a disk, 99 of 100 are faster', 's', [
        query(
          `histogram_quantile(0.99, sum by (service, le) (${rate(`lyceum_log_commit_duration_seconds_bucket${chosen()}`)}))`,
          '{{service}}',
        ),
      ]),
    ],
    [
      lines('Age of what waits for a consumer, the ten oldest', 's', [
        query(
          `topk(10, max by (consumer, source) (lyceum_consumer_lag_seconds${chosen()}))`,
          '{{consumer}} from {{source}}',
        ),
      ]),
      lines('Age of what waits for a read model, the ten oldest', 's', [
        query(
          `topk(10, max by (service, projection) (lyceum_projection_lag_seconds${chosen()}))`,
          '{{service}} {{projection}}',
        ),
      ]),
      lines('Read models that are being built', 'none', [
        query(`sum by (service) (lyceum_projection_building${chosen()})`, '{{service}}'),
      ]),
    ],
    [
      lines('Messages that were missing', 'ops', [
        query(
          `sum by (consumer, source) (${rate(`lyceum_consumer_gaps_total${chosen()}`)}) > 0`,
          '{{consumer}} from {{source}}',
        ),
      ]),
      lines('Messages that came again', 'ops', [
        query(
          `sum by (consumer, source) (${rate(`lyceum_consumer_duplicates_total${chosen()}`)}) > 0`,
          '{{consumer}} from {{source}}',
        ),
      ]),
      lines('Alarms', 'none', [query(`max by (service, name) (lyceum_alarm${chosen()}) > 0`, '{{service}} {{name}}')]),
    ],
  ],
});
