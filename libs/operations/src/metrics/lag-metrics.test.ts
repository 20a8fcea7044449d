import { describe, expect, test } from '@jest/globals';
import { type EventLog, Gap, followLog, memoryEventLog } from '@lyceum/eventlog';
import { FactLag } from '../watching/lag.ts';
import { type Watched, laneReports, projectionReports } from '../watching/report.ts';
import { Watch } from '@lyceum/service';
import { observeLag } from './lag-metrics.ts';
import { meteredLog } from './metered.ts';
import { Metrics } from './metrics.ts';

const append = (n: number) => ({
  tenant: 'school_1',
  commitId: `commit_${n}`,
  expectations: [],
  events: [{ stream: `course_${n}`, type: 'CourseCreated', schema: 1, data: {} }],
  fingerprint: '',
  at: '2026-01-05T08:00:00.000Z',
  meta: { actor: 'test' },
});

/** A log of four commits that has lost the third, as its followers and its operator see it. */
async function holedLog(metrics: Metrics): Promise<{ log: EventLog; lane: number }> {
  const whole = memoryEventLog();
  for (let n = 1; n <= 4; n += 1) await whole.append(append(n));
  const readLane: EventLog['readLane'] = async (lane, after, limit) => {
    if (after < 3 && after + limit >= 3) throw new Gap(lane, 3);
    return whole.readLane(lane, after, limit);
  };
  return {
    log: meteredLog({ ...whole, readLane }, 'catalog', { metrics, watch: new Watch() }),
    lane: whole.laneOf('school_1'),
  };
}

describe('a lane whose readers stand before a gap', () => {
  test('is shown with the missing position in the lanes and in the metrics, and does not hide the others', async () => {
    const metrics = new Metrics();
    const { log, lane } = await holedLog(metrics);
    const watch = new Watch();
    const model = {
      name: 'courses',
      version: 1,
      source: 'catalog',
      isBuilding: false,
      parked: async () => [],
      keeps: () => true,
    };
    const watched = {
      services: [{ name: 'catalog', log, readModels: () => [{ ...model, position: async () => 2 }] }],
      watch,
      facts: new FactLag(async () => undefined),
      clock: { now: () => Date.parse('2026-01-05T09:00:00.000Z') },
    } as unknown as Watched;
    observeLag(metrics, watched);
    const following = followLog(log, {
      from: async () => 0,
      handle: async (commits) => watch.relayed('catalog', lane, commits.at(-1)!.position),
    });
    await expect(following.caughtUp()).rejects.toThrow(Gap);

    const reports = await laneReports(watched);
    expect(reports).toHaveLength(log.lanes);
    expect(reports[lane]).toMatchObject({ head: 4, missing: 3, relay: { position: 2, lag: 2, lag_seconds: null } });
    expect(reports.filter(({ missing }) => missing !== null)).toHaveLength(1);
    const [projection] = await projectionReports(watched);
    expect(projection!.lanes[lane]).toMatchObject({ position: 2, lag: 2, lag_seconds: null });
    const labels = `{service="catalog",lane="${lane}"}`;
    expect(await metrics.text()).toContain(`lyceum_lane_missing_position${labels} 3`);

    await following.close();
    const text = await metrics.text();
    expect(text).toContain(`lyceum_lane_missing_position${labels} 0`);
    expect(text).toContain(`lyceum_relay_lag_positions${labels} 2`);
  });

  test('and what a service asks its operator to look into is told until it is over', async () => {
    const [metrics, watch] = [new Metrics(), new Watch()];
    observeLag(metrics, { services: [], watch } as unknown as Watched);
    watch.deadLetters = () => 3;
    expect(await metrics.text()).toContain('lyceum_channel_dead_letters_total 3');
    for (const value of [5, 0]) {
      watch.alarm('school', 'domain_proofs_doubted', value);
      expect(await metrics.text()).toContain(`lyceum_alarm{service="school",name="domain_proofs_doubted"} ${value}`);
    }
  });
});
